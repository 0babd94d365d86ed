import type { ImportFormat } from '../schema/exchange-report.ts';
import { deliverectIn } from './deliverect-in.ts';
import { googleIn } from './google-in.ts';
import type { ExchangeImport, InOptions } from './in-menu.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { otterIn } from './otter-in.ts';
import { squareCsvIn } from './square-csv-in.ts';
import { squareIn } from './square-in.ts';
import { toastIn } from './toast-in.ts';
import { uberIn } from './uber-in.ts';

/**
 * A format: reads the document of a service, parsed JSON or the cells of a table. False where the
 * document is none of this service. A step is one dish.
 */
type In = (source: unknown, incoming: Incoming) => Generator<void, boolean>;

const FORMATS: Readonly<Record<ImportFormat, In>> = {
  square: squareIn,
  square_csv: squareCsvIn,
  uber: uberIn,
  deliverect: deliverectIn,
  toast: toastIn,
  otter: otterIn,
  google: googleIn,
};

/** Makes a menu of the document of a service; null where it is none of this one. */
export function* importFrom(
  format: ImportFormat,
  source: unknown,
  options: InOptions,
): Generator<void, ExchangeImport | null> {
  const incoming = createIncoming(format, options);
  return (yield* FORMATS[format](source, incoming)) ? incoming.finish() : null;
}
