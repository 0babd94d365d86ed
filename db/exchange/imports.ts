import type { ImportFormat } from '../schema/exchange-report.ts';
import { deliverectIn } from './deliverect-in.ts';
import { googleIn } from './google-in.ts';
import type { ExchangeImport, InOptions } from './in-menu.ts';
import { otterIn } from './otter-in.ts';
import { squareCsvIn } from './square-csv-in.ts';
import { squareIn } from './square-in.ts';
import { toastIn } from './toast-in.ts';
import { uberIn } from './uber-in.ts';

/**
 * A format: what it makes of the document of a service, parsed JSON or the text of a table. Null where
 * the document is none of this service. A step is one dish.
 */
type In = (source: unknown, options: InOptions) => Generator<void, ExchangeImport | null>;

export const importsOf: Readonly<Record<ImportFormat, In>> = {
  square: squareIn,
  square_csv: squareCsvIn,
  uber: uberIn,
  deliverect: deliverectIn,
  toast: toastIn,
  otter: otterIn,
  google: googleIn,
};
