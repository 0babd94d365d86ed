import { createRandom } from '../../../bench/load/random.ts';
import { createExchange, type FuzzAnswer, type FuzzRequest, sendBytes } from './exchange.ts';
import { createRequests } from './requests.ts';
import type { Session, World } from './world.ts';

/** The results of many requests. */
interface Findings {
  requests: number;
  /** Answers by status; those to garbled bytes count under `garbled`. */
  statuses: Map<number | 'garbled', number>;
  /** In ms. */
  longest: number;
  /** In bytes. */
  largest: number;
  /** Mistakes, each with the request that led to it. */
  complaints: string[];
}

const MOST_COMPLAINTS = 20;
const PARALLEL = 24;
/** Of how many requests one is no more than bytes. */
const GARBLED_ONE_IN = 20;

function describe(request: FuzzRequest): string {
  const { body, ...rest } = request;
  return `${JSON.stringify(rest)} body (base64): ${body.toString('base64').slice(0, 4_000)}`;
}

interface FuzzOptions {
  world: World;
  session: Session;
  count: number;
  /** Decides what is asked. */
  seed: number;
  /** The mistake in an answer, or null. */
  judge(request: FuzzRequest, answer: FuzzAnswer): string | null;
}

/** Sends requests of every kind, and looks at every answer. */
export async function runFuzz(options: FuzzOptions): Promise<Findings> {
  const { world, session, count, seed, judge } = options;
  const exchange = createExchange(world.port);
  const statuses: Findings['statuses'] = new Map();
  const complaints: string[] = [];
  const findings: Findings = { requests: 0, statuses, longest: 0, largest: 0, complaints };
  const tally = (status: number | 'garbled') =>
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const random = createRandom(seed);
  const requests = createRequests(random, world, session);

  const ask = async (request: FuzzRequest) => {
    try {
      const answer = await exchange.send(request);
      tally(answer.status);
      findings.longest = Math.max(findings.longest, answer.took);
      findings.largest = Math.max(findings.largest, answer.body.length);
      const complaint = judge(request, answer);
      if (!complaint) return;
      complaints.push(`${complaint}: ${describe(request)} answer: ${answer.body.subarray(0, 300)}`);
    } catch (error) {
      complaints.push(`${error}: ${describe(request)}`);
    }
  };
  const askBytes = async (bytes: Buffer) => {
    tally('garbled');
    try {
      const received = await sendBytes(world.port, bytes);
      if (!/^HTTP\/1\.1 50[0-4]/m.test(received)) return;
      complaints.push(`${received.slice(0, 300)}: bytes (base64) ${bytes.toString('base64')}`);
    } catch (error) {
      complaints.push(`${error}: bytes (base64) ${bytes.toString('base64')}`);
    }
  };
  const work = async () => {
    while (findings.requests < count && complaints.length < MOST_COMPLAINTS) {
      findings.requests += 1;
      if (random.below(GARBLED_ONE_IN) === 0) await askBytes(requests.nextBytes());
      else await ask(requests.next());
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  exchange.stop();
  return findings;
}
