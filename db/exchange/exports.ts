import type { ExportTarget } from '../schema/exchange-report.ts';
import type { Row } from '../schema/values/row.ts';
import { deliverectOut } from './deliverect.ts';
import { googleOut } from './google.ts';
import { otterOut } from './otter.ts';
import type { Exported, OutOptions } from './report.ts';
import { schemaOut } from './schema.ts';
import { squareOut } from './square.ts';
import { uberOut } from './uber.ts';

/** A format: what it makes of the document of a menu. A step is one dish. */
type Out = (document: Row, options: OutOptions) => Generator<void, Exported>;

export const exportsOf: Readonly<Record<ExportTarget, Out>> = {
  google: googleOut,
  uber: uberOut,
  square: squareOut,
  deliverect: deliverectOut,
  otter: otterOut,
  schema: schemaOut,
};
