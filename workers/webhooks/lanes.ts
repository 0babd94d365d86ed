import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';
import { asError } from '../../db/runtime/operator-error.ts';
import { type Running, stopOnce, withTimeout } from '../../db/runtime/running.ts';
import { queues, type WebhookJob } from '../../db/schema/queues.ts';

interface LanesOptions {
  boss: PgBoss;
  /** Serves one receiver; where it throws, the queue tries again. */
  serve(key: WebhookJob, signal: AbortSignal): Promise<void>;
  log: Logger;
  constants: Pick<
    Constants,
    'webhooksAtOnce' | 'webhooksPerHost' | 'jobHeartbeatSeconds' | 'drainTime'
  >;
}

/** Receivers that are served at the same time. */
interface Lanes extends Running {
  /** Takes the jobs whose time has come, as many as there are free lanes. */
  fill(): Promise<void>;
}

/**
 * Serves receivers side by side, few of them at one host: one that never answers keeps a lane until its
 * time is over, and others at its host wait for its lanes alone. A lane that is free takes the next job
 * at once. `stop` ends what goes on for longer than `drainTime`; the queue tries it again.
 */
export function createLanes({ boss, serve, log, constants }: LanesOptions): Lanes {
  const running = new Map<string, Promise<void>>();
  const hosts = new Map<string, number>();
  const stopping = new AbortController();
  const { webhooksAtOnce, webhooksPerHost, jobHeartbeatSeconds, drainTime } = constants;
  let filling: Promise<void> | null = null;
  let asksAgain = false;

  const count = (host: string, more: number) => {
    const now = (hosts.get(host) ?? 0) + more;
    if (now === 0) hosts.delete(host);
    else hosts.set(host, now);
  };
  const work = async ({ id, retryCount, data }: JobWithMetadata<WebhookJob>) => {
    // Another worker's attempt is not this one's to end.
    const attempt = { id, retryCount };
    const error = await serve(data, stopping.signal).then(() => null, asError);
    if (error === null) await boss.complete(queues.webhooks, attempt);
    else await boss.fail(queues.webhooks, attempt, { name: error.name, message: error.message });
  };
  const begin = (job: JobWithMetadata<WebhookJob>) => {
    const host = job.groupId ?? job.id;
    count(host, 1);
    const done = work(job)
      .catch((err) => log.error({ err }, 'a job of a webhook failed; it will be tried again'))
      .finally(() => {
        count(host, -1);
        running.delete(job.id);
        if (!stopping.signal.aborted) void fill();
      });
    running.set(job.id, done);
  };
  /** One job at a time, so that each host's lanes are counted before the next job is taken. */
  const takeAll = async () => {
    while (!isStopped && running.size < webhooksAtOnce) {
      const full = [...hosts].flatMap(([host, lanes]) => (lanes < webhooksPerHost ? [] : [host]));
      const options = { includeMetadata: true, ignoreGroups: full } as const;
      const [job] = await boss.fetch<WebhookJob>(queues.webhooks, options);
      if (!job) return;
      begin(job);
    }
  };
  const takeUntilAsked = async () => {
    do {
      asksAgain = false;
      await takeAll().catch((err) => {
        log.error({ err }, 'could not take jobs of webhooks; it will be tried again');
      });
    } while (asksAgain);
    // In the same moment, so that the next call starts anew.
    filling = null;
  };
  const fill = (): Promise<void> => {
    asksAgain = true;
    filling ??= takeUntilAsked();
    return filling;
  };
  const beat = setInterval(() => {
    if (running.size === 0) return;
    boss.touch(queues.webhooks, [...running.keys()]).catch((err) => {
      log.error({ err }, 'could not keep the jobs of webhooks; others may take them');
    });
  }, jobHeartbeatSeconds * 1_000);
  let isStopped = false;
  const stop = stopOnce(async () => {
    isStopped = true;
    await filling;
    const all = () => Promise.all(running.values()).then(() => undefined);
    await withTimeout(drainTime, all(), () => undefined);
    stopping.abort();
    await all();
    clearInterval(beat);
  });
  return { fill, ...stop };
}
