import type { OperationResult } from '../../../db/schema/bulk.ts';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import type { FieldErrors } from '../../../db/schema/validation/rule.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import type { Desk } from '../desk.ts';
import { type RefusedForm, refusal } from '../pages/fields.ts';
import type { TooMany } from './admit.ts';
import { keepInRelease } from './into-release.ts';
import { asFailed, checkBody, sendWrite } from './save.ts';

/** One change of a bulk write. */
export interface PanelOperation {
  resource: Resource;
  /** Null for a new record. */
  id: number | null;
  /** A body as the API takes it. */
  data: Row;
  /** Values that the record must still have. */
  expected: Row;
}

/** Why one change was refused, and with it all of them. */
interface Refusal {
  /** Of the operation; below 0 when it is about the menu as a whole. */
  index: number;
  /** In the page's language. */
  error: string;
  /** Somebody else has changed the record. */
  isOutdated: boolean;
}

/** The result of all changes; they are done together or not at all. */
export type SavedMany =
  /** Without a result where the changes went into a release. */
  | { kind: 'done'; write: string; results: readonly OperationResult[] }
  | { kind: 'refused'; refusals: readonly Refusal[] }
  | { kind: 'failed' }
  | TooMany;

/** The errors in the shape of each change. */
function refuseShapes(desk: Desk, operations: readonly PanelOperation[]): Refusal[] {
  return operations.flatMap(({ resource, id, data }, index) => {
    const checked = checkBody(desk, resource, id === null, data);
    return 'errors' in checked ? [refusalOf(desk, index, checked.errors)] : [];
  });
}

function refusalOf({ say }: Desk, index: number, errors: FieldErrors): Refusal {
  const [[field = '', [one] = []] = []] = Object.entries(errors);
  const isOutdated = one?.rule === 'outdated';
  const error = field === 'id' || !one ? say('editor.gone') : sayBroken(say, one);
  return { index, error, isOutdated };
}

/**
 * Does many changes as one write with one version, as `POST /admin/bulk` does.
 *
 * @param key as of `sendWrite`
 * @throws LateWriteError when there is no result in time
 * @returns `failed` also when the queue is full or Postgres does not answer
 */
export async function saveMany(
  desk: Desk,
  operations: readonly PanelOperation[],
  key: readonly unknown[],
): Promise<SavedMany> {
  const wrong = refuseShapes(desk, operations);
  if (wrong.length > 0) return { kind: 'refused', refusals: wrong };
  const body = {
    operations: operations.map(({ id, resource, data, expected }) =>
      id === null
        ? { resource, action: 'create', data }
        : { resource, action: 'update', id, data, expected },
    ),
  };
  const document = Buffer.from(JSON.stringify(body));
  const asked = { resource: 'menu', action: 'bulk', document } as const;
  const kept = await keepInRelease(desk, asked);
  const sent = kept ?? (await sendWrite(desk, asked, key).catch(asFailed));
  if ('kind' in sent) return sent;
  const { id: write, outcome } = sent;
  if (outcome.kind === 'kept') return { kind: 'done', write, results: [] };
  if (outcome.kind === 'invalid') {
    return { kind: 'refused', refusals: [refusalOf(desk, -1, outcome.errors)] };
  }
  if (outcome.kind !== 'bulk') return { kind: 'failed' };
  const { applied, results } = outcome;
  if (applied) return { kind: 'done', write, results };
  const failed = results.filter(({ errors }) => Object.keys(errors).length > 0);
  const refusals = failed.map(({ index, errors }) => refusalOf(desk, index, errors));
  return { kind: 'refused', refusals };
}

/** How a page says that a write was not done, for reasons that are not its values: it keeps these. */
export function sayNotDone(
  { constants, say }: Desk,
  saved: TooMany | { kind: 'missing' | 'failed' | 'outdated' },
): RefusedForm {
  if (saved.kind === 'missing') return refusal(say('editor.gone'), '404 Not Found');
  if (saved.kind !== 'too-many')
    return refusal(say('editor.unavailable'), '503 Service Unavailable');
  const seconds = Math.ceil(saved.wait / 1_000);
  const text = say('editor.tooMany', { n: constants.maxPanelWrites, seconds });
  return refusal(text, '429 Too Many Requests', saved.wait);
}
