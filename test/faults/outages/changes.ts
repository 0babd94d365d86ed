import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Reply } from '../../../bench/load/http-call.ts';
import { createClient } from './client.ts';

export interface ChangeReport {
  /** Requests, repeats included. */
  sent: number;
  /** Writes that were answered 2xx. */
  promised: string[];
  /** How each of these was answered. */
  answers: Map<string, { status: number; at: Date }>;
  /** Writes that were never answered 2xx, however often they were sent. */
  unanswered: string[];
  /** Refusals, by status, after which the request was sent again. */
  refused: Record<number, number>;
  /** Connections that broke under a request that was then sent again with the same key. */
  broken: number;
  /** Longest wait for a promise, and for a refusal, in ms. */
  slowest: number;
  slowestRefusal: number;
  /** Refusals that did not say when to come again. */
  silent: number;
  /** Others than 2xx and 503. */
  strange: string[];
}

export interface Changes {
  /** When the last one was promised, in ms on the clock of `performance.now`. */
  lastPromise(): number;
  stop(): Promise<ChangeReport>;
}

interface ChangeOptions {
  port: number;
  host: string;
  writers: number;
  /** Pause of a writer between two requests, in ms. */
  pause: number;
  /** The request that carries the change of this name; the same one each time it is repeated. */
  request(name: string): Call;
}

/** How long a change is insisted on, in ms. */
const PATIENCE = 60_000;
/** Pause before a repeat, in ms, when the answer does not say how long it should be. */
const REPEAT = 200;

function pauseOf({ headers }: Reply): number {
  return Number(headers['retry-after'] ?? REPEAT / 1_000) * 1_000;
}

/**
 * Senders of changes, each with a name of its own, that repeat one until it is promised: safe, since
 * the request has a key by which a repeat is known.
 */
export function startChanges(options: ChangeOptions): Changes {
  const { port, host, writers, pause, request } = options;
  const report: ChangeReport = {
    ...{ sent: 0, promised: [], answers: new Map() },
    ...{ unanswered: [], refused: {}, broken: 0, strange: [] },
    ...{ slowest: 0, slowestRefusal: 0, silent: 0 },
  };
  const client = createClient(port, host, writers);
  let lastPromise = 0;
  let stopped = false;

  /** Whether the request is settled; else how long to wait before it is sent again, in ms. */
  const send = async (name: string): Promise<true | number> => {
    report.sent += 1;
    try {
      const answer = await client.call(request(name));
      if (answer.status >= 200 && answer.status < 300) {
        report.promised.push(name);
        report.answers.set(name, { status: answer.status, at: new Date() });
        report.slowest = Math.max(report.slowest, answer.took);
        lastPromise = performance.now();
        return true;
      }
      report.slowestRefusal = Math.max(report.slowestRefusal, answer.took);
      if (!answer.headers['retry-after']) report.silent += 1;
      report.refused[answer.status] = (report.refused[answer.status] ?? 0) + 1;
      if (answer.status !== 503) report.strange.push(`${answer.status} ${answer.text}`);
      return pauseOf(answer);
    } catch {
      report.broken += 1;
      return REPEAT;
    }
  };
  const insist = async (name: string) => {
    const until = performance.now() + PATIENCE;
    while (performance.now() < until) {
      const outcome = await send(name);
      if (outcome === true) return;
      await sleep(outcome);
    }
    report.unanswered.push(name);
  };
  const running = Array.from({ length: writers }, async () => {
    while (!stopped) {
      await insist(randomUUID());
      await sleep(pause);
    }
  });
  return {
    lastPromise: () => lastPromise,
    stop: async () => {
      stopped = true;
      await Promise.all(running);
      client.close();
      return report;
    },
  };
}

/** A new dish of that name; its key makes a repeat harmless. */
export function dishRequest(token: string, sectionId: number): ChangeOptions['request'] {
  return (name) => ({
    method: 'POST',
    path: '/admin/items',
    headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': name },
    body: { category_id: sectionId, name: { it: name }, price: 9 },
  });
}

/** An event of that id, which makes a repeat harmless. */
export function eventRequest(): ChangeOptions['request'] {
  return (name) => ({
    method: 'POST',
    path: '/analytics/events',
    body: { id: name, type: 'menu_view', visitor_id: name },
  });
}
