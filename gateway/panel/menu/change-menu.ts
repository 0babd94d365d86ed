import { constants } from '../../../db/runtime/constants.ts';
import type { UndoStep } from '../../../db/schema/panel-change.ts';
import { parseRecordId } from '../../../db/schema/record-id.ts';
import { listDishes } from '../../../db/sql/panel/list-dishes.ts';
import type { Answer } from '../../http/answer.ts';
import { UnavailableError } from '../../http/errors.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { recordName } from '../records/record-name.ts';
import { type ToldText, toldTexts } from '../texts/told.ts';
import { isOwnForm } from '../visit.ts';
import type { PageWrite, Saved } from '../writes/save.ts';
import { isFormId, newFormId, redirectTelling, type Told } from '../writes/told.ts';
import { saveAll } from '../writes/undo.ts';
import {
  applyAction,
  changeOf,
  type ListChange,
  readPercent,
  typedPrices,
} from './menu-changes.ts';
import { menuPath, readMenuQuery } from './menu-view.ts';
import { moveDish, moveSection } from './move.ts';

/** What a form asks for: changes, or a text that says what is wrong with it. */
type Asked = { changes: ListChange[]; text: ToldText } | { wrong: ToldText };

/** The dishes that are chosen in the list. */
function chosenIds(form: Form): number[] {
  return form.list('chosen').flatMap((text) => parseRecordId(text) ?? []);
}

async function readDishes({ db, visit }: Desk, ids: readonly number[]) {
  const limit = constants.maxListedDishes;
  return ids.length === 0 ? [] : listDishes(db, visit.tenantId, { ids, limit });
}

async function priceChanges(desk: Desk, form: Form): Promise<ListChange[]> {
  const { language } = desk.visit.texts;
  const typed = typedPrices(form);
  const ids = [...typed.keys()].slice(0, constants.maxDishesAtOnce);
  const dishes = await readDishes(desk, ids);
  return dishes.flatMap((dish) => {
    const given = typed.get(dish.id);
    if (!given) return [];
    const change = { input: { price: given.price }, undo: { price: dish.data.price } };
    const name = recordName(dish.data, language);
    return [changeOf(dish, name, change, ['price', given.price], given.etag)];
  });
}

/** What an action makes of one dish or of several. */
async function actionChanges(
  desk: Desk,
  form: Form,
  action: string,
  ids: readonly number[],
): Promise<ListChange[]> {
  const dishes = await readDishes(desk, ids);
  return dishes.flatMap((dish) => {
    const change = applyAction(action, dish.data, form);
    if (!change) return [];
    const name = recordName(dish.data, desk.visit.texts.language);
    const asked = { move: form.text('section'), percent: form.text('percent') };
    // A percentage of a price that has changed meanwhile is another price.
    const ifMatch = action === 'percent' ? dish.etag : null;
    return [changeOf(dish, name, change, [action, asked], ifMatch)];
  });
}

async function readAsked(desk: Desk, form: Form): Promise<Asked> {
  const action = form.text('do') || 'prices';
  const [name = '', subject = '', index = ''] = action.split(':');
  if (name.startsWith('many-')) {
    const ids = chosenIds(form).slice(0, constants.maxDishesAtOnce);
    if (ids.length === 0) return { wrong: 'noneChosen' };
    if (name === 'many-percent' && readPercent(form) === null) return { wrong: 'badPercent' };
    return { changes: await actionChanges(desk, form, name.slice(5), ids), text: 'many' };
  }
  const id = parseRecordId(subject);
  if (id === null) return { changes: [], text: 'price' };
  if (name.startsWith('section-')) {
    return { changes: await moveSection(desk, id, name), text: 'moved' };
  }
  if (name === 'up' || name === 'down' || name === 'place') {
    return { changes: await moveDish(desk, id, name, Number(index)), text: 'moved' };
  }
  return {
    changes: await actionChanges(desk, form, name, [id]),
    text: name in toldTexts ? (name as ToldText) : 'saved',
  };
}

function toWrite(formId: string, change: ListChange): PageWrite {
  const { resource, id, input, ifMatch, key } = change;
  return { resource, action: 'change', recordId: id, input, ifMatch, key: [formId, ...key] };
}

/** What takes those changes back that were made. */
function undoOf(changes: readonly ListChange[], saved: readonly Saved[]): UndoStep[] {
  return changes.flatMap(({ resource, id, undo }, index) => {
    const result = saved[index];
    if (result?.kind !== 'done') return [];
    // The record may have been changed twice by one form.
    const isLast = !changes.slice(index + 1).some((other) => other.id === id);
    const if_match = isLast ? result.etag : null;
    return [{ resource, action: 'change', record_id: id, input: undo, if_match }];
  });
}

const KINDS: Partial<Record<Saved['kind'], ToldText>> = {
  outdated: 'changedMeanwhile',
  missing: 'gone',
  failed: 'failed',
  'too-many': 'failed',
};

function tell(
  { visit }: Desk,
  changes: readonly ListChange[],
  saved: readonly Saved[],
  text: ToldText,
): Told {
  const names = new Set(changes.map(({ id }) => id));
  const failed = saved.findIndex(({ kind }) => kind !== 'done' && kind !== 'waiting');
  const undo = undoOf(changes, saved);
  if (failed >= 0) {
    const result = saved[failed] as Saved;
    const name = changes[failed]?.name ?? '';
    if (result.kind === 'invalid') {
      const [error = ''] = Object.values(result.errors);
      return { text: 'refused', values: { name, error }, undo };
    }
    if (names.size > 1 && text === 'many') {
      const bad = saved.filter(({ kind }) => kind !== 'done').length;
      return { text: 'someFailed', values: { n: saved.length - bad, failed: bad }, undo };
    }
    return { text: KINDS[result.kind] ?? 'failed', values: { name }, undo };
  }
  if (saved.some(({ kind }) => kind === 'waiting')) return { text: 'waiting' };
  if (text !== 'moved' && names.size > 1) return { text: 'many', values: { n: names.size }, undo };
  const [first] = changes;
  if (!first) return { text: 'unchanged' };
  const given = String(first.input.price ?? '');
  const price = visit.texts.language === 'en' ? given : given.replace('.', ',');
  const isPrice = first.key[0] === 'price';
  const said = isPrice ? 'price' : text === 'many' ? 'saved' : text;
  return { text: said, values: { name: first.name, price }, undo };
}

/** `POST /admin/menu`: whatever was pressed in a list, with the prices that were typed over. */
export async function changeMenu(desk: Desk): Promise<Answer> {
  const { visit, domain } = desk;
  const form = await readForm(visit.context, constants.maxRecordFormBytes);
  const path = menuPath(readMenuQuery(desk));
  const formId = form.text('form_id');
  if (!isOwnForm(visit, form.text('form_token'), domain) || !isFormId(formId)) {
    return redirectTelling(desk, [newFormId()], path, { text: 'stale' });
  }
  const prices = await priceChanges(desk, form);
  const asked = await readAsked(desk, form);
  if ('wrong' in asked) return redirectTelling(desk, [newFormId()], path, { text: asked.wrong });
  const changes = [...prices, ...asked.changes];
  const key = [formId, form.text('do'), changes.map(({ id, key: one }) => [id, one])];
  try {
    const saved = await saveAll(
      desk,
      changes.map((change) => toWrite(formId, change)),
    );
    return await redirectTelling(desk, key, path, tell(desk, changes, saved, asked.text));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return redirectTelling(desk, [newFormId()], path, { text: 'failed' });
  }
}
