import type { Moment } from './served.js';

// See `opening.js`.

export interface Closure {
  date_start: string;
  date_end: string | null;
  text?: string;
}

export interface Hours {
  opening_hours: readonly {
    weekdays: readonly number[] | null;
    time_start: string;
    time_end: string;
  }[];
  closures: readonly Closure[];
  special_hours?: readonly { date: string; time_start: string; time_end: string }[] | undefined;
}

export interface OpeningState {
  isOpen: boolean | null;
  change: Moment | null;
  closure: Closure | null;
}

export interface OpeningTexts {
  open: string;
  openUntil: string;
  opensAt: string;
  opensOn: string;
  closedNow: string;
}

export function openingState(hours: Hours, now: Moment): OpeningState;
export function sayOpening(
  state: OpeningState,
  now: Moment,
  texts: OpeningTexts,
  locale: string,
): string;
