import { constants } from '../../../db/runtime/constants.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import { type Form, isFormId, readForm } from '../form.ts';
import { pricingOf, writePrice } from '../forms/draft.ts';
import { notice, refusal } from '../pages/fields.ts';
import { isOwnForm } from '../panel-request.ts';
import { type Message, redirectTelling } from '../writes/message.ts';
import { type SavedMany, saveMany, sayNotDone } from '../writes/save-many.ts';
import { type EnteredDishes, readEntered } from './entered-dishes.ts';
import { NAMES, SECTIONS_BUTTON } from './many-sections.ts';
import { menuPage, menuPath, readMenuQuery } from './menu-page.ts';
import { priceReview } from './price-review.ts';
import { type Changes, REVIEW, readAsked, readReview } from './read-asked.ts';

/** Sections that one form adds. */
const MAX_NEW_SECTIONS = 50;

type Of<K extends SavedMany['kind']> = Extract<SavedMany, { kind: K }>;

/** The message after changes. */
function tell(
  { request, chosen }: Desk,
  { operations, text, values: more, names, gone }: Changes,
  saved: Of<'done'>,
): Message {
  if (chosen?.took) {
    const n = new Set(operations.map(({ id }) => id)).size;
    return gone > 0 ? { text: 'someFailed', values: { n, failed: gone } } : { text };
  }
  const changed = saved.results.filter(({ outcome }) => outcome === 'updated');
  const n = new Set(changed.map(({ id }) => id)).size;
  const [first] = changed;
  const undo = n === 0 ? undefined : saved.write;
  if (gone > 0) return { text: 'someFailed', values: { n, failed: gone }, undo };
  if (!first) return { text: 'unchanged' };
  if (text === 'moved') return { text, values: { name: [...names.values()].at(-1) ?? '' }, undo };
  if (n > 1 || text === 'many') return { text: 'many', values: { n }, undo };
  const name = names.get(Number(first.id)) ?? '';
  const [, price] = first.changes.price ?? [];
  if (price === undefined) return { text, values: { ...more, name }, undo };
  const values = { name, price: writePrice(price, pricingOf(request)) };
  return { text: 'price', values, undo };
}

/** The list with what was entered, and why nothing of it was saved. */
function refuse(
  desk: Desk,
  entered: EnteredDishes,
  { operations, names }: Changes,
  { refusals }: Of<'refused'>,
): Promise<Answer> {
  const { say } = desk;
  const isOrder = operations.some(({ data }) => 'display_order' in data);
  if (refusals.every(({ isOutdated }) => isOutdated)) {
    // The row of a dish shows what somebody else has made of it.
    const text = say(isOrder ? 'messages.orderChanged' : 'editor.conflict');
    return menuPage(desk, { ...refusal(text, '409 Conflict'), entered });
  }
  const wrong = refusals.filter(({ isOutdated }) => !isOutdated);
  const errors = new Map(wrong.map(({ index, error }) => [operations[index]?.id ?? 0, error]));
  const [[id, error]] = errors as unknown as [[number, string]];
  const name = names.get(id);
  const text = name === undefined ? error : say('messages.refused', { name, error });
  return menuPage(desk, { ...refusal(text), entered, errors });
}

/** Adds a section for each line, as one write. */
async function addSections(desk: Desk, form: Form): Promise<Answer> {
  const { say, context } = desk.request;
  const { fallbackLocale } = context.restaurant.tenant;
  const text = form.secret(NAMES);
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/\p{Cc}+/gu, ' ').trim());
  const names = [...new Set(lines)].filter((line) => line !== '');
  const again = (state: Parameters<typeof menuPage>[1]) =>
    menuPage(desk, { ...state, names: text });
  if (names.length === 0) return again(refusal(say('rules.required')));
  if (names.length > MAX_NEW_SECTIONS) {
    return again(refusal(say('rules.maxItems', { max: MAX_NEW_SECTIONS })));
  }
  const operations = names.map((name) => ({
    ...{ resource: 'categories' as const, id: null, expected: {} },
    data: { name: { [fallbackLocale]: name } },
  }));
  const key = [form.text('form_id'), SECTIONS_BUTTON, text];
  const saved = await saveMany(desk, operations, key);
  switch (saved.kind) {
    case 'done': {
      const values = { n: names.length };
      return redirectTelling(desk, key, '/admin/menu', {
        text: 'sectionsAdded',
        values,
        undo: saved.write,
      });
    }
    case 'refused':
      return again(refusal(saved.refusals[0]?.error ?? say('rules.invalid')));
    default:
      return again(sayNotDone(desk, saved));
  }
}

/** Whether new prices are to be shown: the Enter key in their field presses the list's first button. */
function isReview(button: string, { percent, prices, chosen, isAll }: EnteredDishes): boolean {
  const isForDishes = percent.trim() !== '' && (chosen.size > 0 || isAll);
  return button === REVIEW || (button === 'prices' && prices.size === 0 && isForDishes);
}

/** `POST /admin/menu`: does what was pressed in a list, and saves typed prices, as one write. */
export async function changeMenu(desk: Desk): Promise<Answer> {
  const { request, say } = desk;
  const form = await readForm(request.context, constants.maxRecordFormBytes);
  const entered = readEntered(form, desk.request.context.restaurant.tenant);
  if (!isOwnForm(request, form.text('form_token')) || !isFormId(form.text('form_id'))) {
    return menuPage(desk, { ...refusal(say('editor.stale'), '403 Forbidden'), entered });
  }
  if (form.text('do') === SECTIONS_BUTTON) return addSections(desk, form);
  const asked = isReview(form.text('do'), entered)
    ? await readReview(desk, entered)
    : await readAsked(desk, form.text('do'), entered);
  if ('wrong' in asked) {
    return menuPage(desk, { ...refusal(say(asked.wrong, asked.values)), entered });
  }
  if ('dishes' in asked) return priceReview(desk, asked);
  return storeAsked(desk, asked, entered, form);
}

/** Stores what a list's form asks for, as one write. */
async function storeAsked(desk: Desk, asked: Changes, entered: EnteredDishes, form: Form) {
  const path = menuPath(readMenuQuery(desk));
  const key = [...form.all()].filter(([name]) => name !== 'form_token' && name !== 'at');
  if (asked.operations.length + asked.gone === 0) {
    return redirectTelling(desk, key, path, { text: 'unchanged' });
  }
  const saved = await saveMany(desk, asked.operations, key);
  if (saved.kind === 'done') return redirectTelling(desk, key, path, tell(desk, asked, saved));
  if (saved.kind === 'refused') return refuse(desk, entered, asked, saved);
  return menuPage(desk, { ...sayNotDone(desk, saved), entered });
}

/** The list with what somebody had entered before they had to sign in again. */
export function showKeptMenu(desk: Desk, form: Form): Promise<Answer> {
  const said = notice('good', desk.say('editor.kept'));
  return menuPage(desk, {
    notice: said,
    entered: readEntered(form, desk.request.context.restaurant.tenant),
  });
}
