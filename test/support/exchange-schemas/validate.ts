import { Ajv, type ValidateFunction } from 'ajv';
import { keysOf } from '../../../db/runtime/keys.ts';
import type { ExportTarget } from '../../../db/schema/exchange-report.ts';
import { deliverectSchema } from './deliverect.ts';
import { googleSchema } from './google.ts';
import { otterSchema } from './otter.ts';
import { schemaSchema } from './schema.ts';
import { squareSchema } from './square.ts';
import { uberSchema } from './uber.ts';

const schemas: Record<ExportTarget, object> = {
  google: googleSchema,
  uber: uberSchema,
  square: squareSchema,
  deliverect: deliverectSchema,
  otter: otterSchema,
  schema: schemaSchema,
};

const ajv = new Ajv({ strictTypes: false });
const compiled = new Map<ExportTarget, ValidateFunction>(
  keysOf(schemas).map((target) => [target, ajv.compile(schemas[target])]),
);

/** The faults of a document of a service, a line each. */
export function faultsOf(target: ExportTarget, document: unknown): string[] {
  const validate = compiled.get(target) as ValidateFunction;
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}
