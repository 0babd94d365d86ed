import type * as v from 'valibot';
import { constants } from '../../../db/runtime/constants.ts';
import { createDisplayRoutes, type DisplayOptions } from '../../../gateway/display/display.ts';
import { createPanelRoutes, type PanelOptions } from '../../../gateway/panel/entry/panel.ts';
import { createReferenceRoutes } from '../../../gateway/reference/reference.ts';
import { routes } from '../../../gateway/routes/routes.ts';
import type { Dice } from './dice.ts';

// Declared routes as requests: a new route is asked for as soon as it is
// declared.

/** A declared path with a method. */
export interface Declared {
  method: string;
  /** The whole path; `:name` is a parameter, and a last `:name?` an optional one. */
  path: string;
  /** The parameters of its query. */
  fields: readonly string[];
  /** The document's example of a body; undefined where none is read. */
  example: unknown;
}

const api = routes.map(
  ({ method, path, description: { query, body } }): Declared & { kind: string } => ({
    method,
    path: `/api/v1${path}`,
    fields: Object.keys((query as v.ObjectSchema<v.ObjectEntries, undefined>)?.entries ?? {}),
    example: body?.example,
    kind: path.startsWith('/admin') ? (method === 'GET' ? 'admin' : 'write') : method,
  }),
);

const own = (list: readonly { method: string; path: string }[]): Declared[] =>
  list.map(({ method, path }) => ({ method, path, fields: [], example: undefined }));

// Only the paths are of interest here: no handler of these is called.
const display = createDisplayRoutes({ now: Date.now } as DisplayOptions);
const panel = createPanelRoutes({ constants, now: Date.now } as PanelOptions);

export const publicReads: readonly Declared[] = api.filter(({ kind }) => kind === 'GET');
export const publicWrites: readonly Declared[] = api.filter(({ kind }) => kind === 'POST');
export const adminReads: readonly Declared[] = api.filter(({ kind }) => kind === 'admin');
export const adminWrites: readonly Declared[] = api.filter(({ kind }) => kind === 'write');
export const pages: readonly Declared[] = own([...display, ...createReferenceRoutes(routes)]);
export const panelPages: readonly Declared[] = own(panel.filter(({ method }) => method === 'GET'));
export const panelForms: readonly Declared[] = own(panel.filter(({ method }) => method === 'POST'));

const LOCALES = ['it', 'en', 'fr', 'de', 'es', 'xx', ''] as const;

/** A declared path with values for its parameters. */
export function addressOf({ path, fields }: Declared, dice: Dice): string {
  const parameter = (name: string) => {
    if (name === 'locale') return dice.pick(LOCALES);
    // That of a file is a digest, that of a menu a number.
    const isDigest = name === 'version' && !path.startsWith('/api/');
    return isDigest ? dice.text() : dice.id();
  };
  const filled = path.replace(/\/:(\w+)(\??)/g, (_, name: string, optional: string) =>
    optional !== '' && dice.chance(0.4) ? '' : `/${parameter(name)}`,
  );
  return `${filled}${dice.query(fields)}`;
}
