/** Shows something on a database; false when a promise was broken. Amounts have defaults. */
type Scenario = (databaseUrl: string, ...amounts: number[]) => Promise<boolean>;

/** @throws TypeError when one is no number */
export function readAmounts(args: readonly string[]): number[] {
  return args.map((text) => {
    const amount = Number(text);
    if (Number.isNaN(amount)) throw new TypeError(`${text} is not a number.`);
    return amount;
  });
}

/** Runs the scenario that the command line names, with the numbers after it, on `DATABASE_URL`. */
export async function runNamed(scenarios: Readonly<Record<string, Scenario>>): Promise<void> {
  const [name = '', ...amounts] = process.argv.slice(2);
  const run = scenarios[name];
  const databaseUrl = process.env.DATABASE_URL;
  if (run && databaseUrl !== undefined) {
    if (!(await run(databaseUrl, ...readAmounts(amounts)))) process.exitCode = 1;
  } else {
    console.error(`Set DATABASE_URL and name one of: ${Object.keys(scenarios).join(', ')}.`);
    process.exitCode = 2;
  }
}
