// `npm run bench`: Lavagna and its peers under the same load, on this machine.
import { writeFile } from 'node:fs/promises';
import { type Stage, startStage } from './environment.ts';
import { readOptions, usage } from './options.ts';
import { conditions, isMet, renderFinding } from './report.ts';
import type { Finding, Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const started = performance.now();

function progress(line: string): void {
  const seconds = (performance.now() - started) / 1_000;
  process.stderr.write(`${seconds.toFixed(0).padStart(5)} s  ${line}\n`);
}

/** Runs the scenarios in turn, an interrupted run up to the end of the one that is running. */
async function runAll(
  chosen: readonly Scenario[],
  stage: Stage,
  interrupted: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const scenario of chosen) {
    interrupted.throwIfAborted();
    progress(`${scenario.name} …`);
    try {
      findings.push(...(await scenario.run(stage)));
    } catch (error) {
      // The figures of the other scenarios hold all the same.
      console.error(error);
      process.exitCode = 1;
      findings.push({ title: scenario.name, note: `This scenario failed: ${error}` });
    }
  }
  return findings;
}

async function run(args: readonly string[], interrupted: AbortSignal): Promise<void> {
  const names = scenarios.map(({ name }) => name);
  const options = readOptions(args, names);
  const chosen = scenarios.filter(
    ({ name }) => options.only.length === 0 || options.only.includes(name),
  );
  const { stage, stop } = await startStage(options, progress);
  try {
    const findings = await runAll(chosen, stage, interrupted);
    const measuredOn = conditions(stage.size, new Date());
    console.log([measuredOn, ...findings.map(renderFinding)].join('\n\n'));
    if (options.json !== undefined) {
      const goals = findings.flatMap((finding) => finding.goals ?? []);
      const met = goals.filter(isMet).length;
      const document = { measuredOn, size: stage.size, findings, goals: goals.length, met };
      await writeFile(options.json, `${JSON.stringify(document, null, 2)}\n`);
    }
    progress('done');
  } finally {
    await stop();
  }
}

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort(new Error(`stopped by ${signal}`)));
}
try {
  await run(process.argv.slice(2), interrupted.signal);
} catch (error) {
  const isUsage =
    error instanceof TypeError &&
    (error.message.startsWith('There is no scenario') ||
      String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS'));
  const names = scenarios.map(({ name }) => name).join(', ');
  console.error(isUsage ? `${error.message}\n\n${usage}${names}` : error);
  process.exitCode = isUsage ? 2 : 1;
}
