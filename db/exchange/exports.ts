import type { ExportTarget } from '../schema/exchange-report.ts';
import type { Row } from '../schema/values/row.ts';
import { deliverectOut } from './deliverect.ts';
import { googleOut } from './google.ts';
import { otterOut } from './otter.ts';
import type { OutFormat } from './out-menu.ts';
import { closeReport, readOutgoing } from './outgoing.ts';
import { collectLosses, type Exported, type OutOptions } from './report.ts';
import { schemaOut } from './schema.ts';
import { squareOut } from './square.ts';
import { uberOut } from './uber.ts';

const FORMATS: Readonly<Record<ExportTarget, OutFormat>> = {
  google: googleOut,
  uber: uberOut,
  square: squareOut,
  deliverect: deliverectOut,
  otter: otterOut,
  schema: schemaOut,
};

/** Writes the document of a menu in the format of a service. A step is one dish. */
export function* exportAs(
  target: ExportTarget,
  document: Row,
  options: OutOptions,
): Generator<void, Exported> {
  const format = FORMATS[target];
  const losses = collectLosses(target, options.at);
  const menu = yield* readOutgoing(document, options, losses, format);
  const written = yield* format.write(menu);
  return { document: written, report: yield* closeReport(menu) };
}
