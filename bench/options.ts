import { parseArgs } from 'node:util';

export interface Options {
  /** Less of everything: under two minutes. */
  quick: boolean;
  /** File that takes the results as JSON. */
  json: string | undefined;
  /** Names of the scenarios to run; all when empty. */
  only: string[];
  /** Folder whose tenants are used again, and made when they are missing. */
  data: string | undefined;
}

export const usage = `Usage: npm run bench -- [--quick] [--json FILE] [--only NAME]... [--data DIR]

  --quick      less of everything: under two minutes
  --json FILE  writes every figure to FILE
  --only NAME  runs this scenario; may be given several times
  --data DIR   keeps the planted tenants in DIR for the next run

Scenarios: `;

/** @throws TypeError when an argument is unknown */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      data: { type: 'string' },
    },
  });
  const unknown = values.only.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new TypeError(`There is no scenario ${unknown.join(', ')}.`);
  return { quick: values.quick, json: values.json, only: values.only, data: values.data };
}
