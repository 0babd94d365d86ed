import { startDoer } from '../processes/child.ts';

export type GuestTask =
  /** They open the page, one after the other: done when all have the page and its files. */
  | { kind: 'arrive'; count: number; seconds: number; port: number; host: string }
  /** Done when the page of each shows the text. */
  | { kind: 'show'; text: string };

export interface GuestReport {
  /** When each guest's page came, in ms since 1970. */
  moments: Float64Array;
  /** Answers that a guest would notice, until now. */
  refusals: string[];
  /** Events of statistics that were refused, until now. */
  refusedEvents: number;
}

/** Starts guests of one address, in a process of their own. */
export const startGuests = () => startDoer<GuestTask, GuestReport>('bench/load/guest-crowd.ts');
