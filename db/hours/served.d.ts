// See `served.js`.

export interface Moment {
  day: string;
  time: string;
}

export interface ServingTimes {
  from?: string;
  windows?: string;
  to?: string;
  days?: string;
  first?: string;
  last?: string;
}

export function localMoment(time: number, timeZone: string | undefined): Moment;
export function isInDates(times: ServingTimes, now: Moment): boolean;
export function isServed(times: ServingTimes, now: Moment): boolean;
export function laterDay(day: string, days: number): string;
export function weekdayOf(day: string): number;
