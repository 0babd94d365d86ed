import { nodeCommand, startChild } from '../processes/child.ts';
import { pin } from '../processes/cores.ts';

export type GuestTask =
  /** They open the page, one after the other. */
  | { kind: 'arrive'; count: number; seconds: number; port: number; host: string }
  /** Each of their pages is to show a text. */
  | { kind: 'show'; text: string };

export interface GuestReport {
  /** When each guest's page came, in ms since 1970. */
  moments: Float64Array;
  /** Answers that a guest would notice, until now. */
  refusals: string[];
  /** Events of statistics that were refused, until now. */
  refusedEvents: number;
}

export type GuestAnswer = GuestReport | { failure: string };

/** Guests of one address, in a process of their own. */
interface Guests {
  /** Resolves when all have the page and its files. */
  arrive(count: number, seconds: number, port: number, host: string): Promise<GuestReport>;
  /** Resolves when the page of each shows the text. */
  show(text: string): Promise<GuestReport>;
  stop(): Promise<void>;
}

export async function startGuests(): Promise<Guests> {
  const command = pin('load', nodeCommand('bench/load/guest-crowd.ts'));
  const child = await startChild(command, { channel: true });
  await child.message<GuestAnswer>();
  const run = async (task: GuestTask): Promise<GuestReport> => {
    const answer = child.message<GuestAnswer>();
    child.send(task);
    const message = await answer;
    if ('failure' in message) throw new Error(message.failure);
    return message;
  };
  return {
    arrive: (count, seconds, port, host) => run({ kind: 'arrive', count, seconds, port, host }),
    show: (text) => run({ kind: 'show', text }),
    stop: child.stop,
  };
}
