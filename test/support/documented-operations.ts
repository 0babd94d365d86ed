import type { Scope } from '../../db/schema/token.ts';
import type { ApiOperation, Paths } from '../../gateway/openapi/parts.ts';
import { document } from './contract.ts';

/** Every operation of the OpenAPI document. */
export const operations = Object.entries(document.paths as Paths).flatMap(([template, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...{ method: method.toUpperCase(), template, operation: operation as ApiOperation },
  })),
);
export type Documented = (typeof operations)[number];

/** No record and no job has these. */
export const MISSING = { id: '2147483647', job: '00000000-0000-7000-8000-000000000000' };

/** Whether an operation may be repeated under a key. */
export const takesKeys = ({ parameters }: ApiOperation) =>
  JSON.stringify(parameters ?? []).includes('IdempotencyKey');
/** The scopes; each is enough. */
export const scopesOf = ({ security }: ApiOperation) =>
  security.map(({ token }) => token?.[0] as Scope);
export const scopeOf = (operation: ApiOperation): Scope | undefined => scopesOf(operation)[0];

/** Where an operation would be asked about something that is not there. */
export function nowhere({ template }: Documented): string {
  return template
    .replace('/jobs/{id}', `/jobs/${MISSING.job}`)
    .replace(/\{(id|version|delivery)\}/g, MISSING.id)
    .replace('{locale}', 'de');
}
