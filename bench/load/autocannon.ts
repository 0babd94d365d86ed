import autocannon from 'autocannon';
import type { CannonJob, LoadReport, LoadRequest } from './job.ts';
import { createLatencies } from './percentiles.ts';

/** How often autocannon looks whether its time is up, in milliseconds. */
const sampleMs = 50;

/** Where one connection starts in the list, so that they do not all ask for the same at once. */
function shareOf(job: CannonJob, connection: number): LoadRequest[] {
  const { requests, connections } = job;
  if (job.seconds === undefined) return requests.filter((_, i) => i % connections === connection);
  if (requests.length < connections) return requests;
  const size = Math.floor(requests.length / connections);
  return requests.slice(connection * size, (connection + 1) * size);
}

/**
 * Runs autocannon.
 *
 * @throws when a request fails or is answered with a status that was not expected
 */
export async function fireCannon(job: CannonJob): Promise<LoadReport> {
  const latencies = createLatencies();
  const statuses = new Map<number, number>();
  let connected = 0;
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${job.port}`,
    connections: job.connections,
    ...(job.seconds === undefined ? { amount: job.requests.length } : { duration: job.seconds }),
    setupClient: (client) => {
      const share = shareOf(job, connected);
      connected += 1;
      // The type asks for fields of answers that nobody has to give.
      client.setRequests(share.map((request) => ({ ...request })) as autocannon.Request[]);
    },
  };
  // The types of autocannon lack this option.
  Object.assign(options, { sampleInt: sampleMs });
  const started = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    instance.on('response', (_client, status, _bytes, milliseconds) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      latencies.add(milliseconds);
    });
  });
  const seconds = (performance.now() - started) / 1_000;
  const requests = statuses.get(job.expectedStatus) ?? 0;
  const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  if (result.errors > 0 || answered !== requests) {
    const counts = JSON.stringify(Object.fromEntries(statuses));
    throw new Error(
      `${result.errors} requests failed; answers by status ${counts}, not ${job.expectedStatus}`,
    );
  }
  return { requests, seconds, ...latencies.summary(), reconnects: 0, cutOff: 0 };
}
