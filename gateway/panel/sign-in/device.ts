import { constants } from '../../../db/runtime/constants.ts';

/** Browsers in the order in which they are recognised: most of them name others, too. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|Chromium|CriOS)\//],
  ['Safari', /Safari\//],
];
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPad', /iPad/],
  ['iPhone', /iPhone/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
];

/** The browser and the device of a `User-Agent`, such as `Safari · iPad`; empty for an unknown one. */
export function deviceName(userAgent: string): string {
  const agent = userAgent.slice(0, 1_000);
  const nameIn = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(agent))?.[0];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.join(' · ').slice(0, constants.maxDeviceLength);
}
