import autocannon from 'autocannon';
import type { LoadReport, LoadRequest, RequestsJob } from './job.ts';
import { percentilesOf } from './percentiles.ts';

/** How often autocannon checks whether the load is over, in milliseconds. */
const sampleMs = 50;

/** The requests of one connection; each connection starts at another place of the list. */
function shareOf(job: RequestsJob, connection: number): LoadRequest[] {
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
export async function runAutocannon(job: RequestsJob): Promise<LoadReport> {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  let connected = 0;
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${job.port}`,
    connections: job.connections,
    ...(job.seconds === undefined ? { amount: job.requests.length } : { duration: job.seconds }),
    setupClient: (client) => {
      const share = shareOf(job, connected);
      connected += 1;
      // The type demands fields that autocannon does not need.
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
      times.push(milliseconds);
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
  return { requests, seconds, ...percentilesOf(times), reconnects: 0, resent: 0 };
}
