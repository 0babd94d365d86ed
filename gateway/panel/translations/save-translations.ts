import { constants } from '../../../db/runtime/constants.ts';
import { type Locale, textsIn } from '../../../db/schema/values/locale.ts';
import { isObject, type Row } from '../../../db/schema/values/row.ts';
import type { MenuText } from '../../../db/snapshot/menu-texts.ts';
import { markChecked } from '../../../db/sql/stale-texts.ts';
import type { Answer } from '../../http/answer.ts';
import { readMenuTexts } from '../../routes/translations.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { notice, refusal } from '../pages/fields.ts';
import { isOwnForm } from '../panel-request.ts';
import { redirectTelling } from '../writes/message.ts';
import { type PanelOperation, saveMany, sayNotDone } from '../writes/save-many.ts';
import {
  LINE_BREAK,
  menuTextKey,
  readTranslationQuery,
  seenPair,
  translationsPage,
  translationsPath,
} from './translations-page.ts';

const UNPROCESSABLE = '422 Unprocessable Content';

/** A form, and the texts that it shows as they are now. */
type Sent = ReturnType<typeof readSent>;

function readSent(form: Form, texts: readonly MenuText[], locale: Locale) {
  const all = form.all();
  const shown = texts.filter((text) => all.has(`seen.${menuTextKey(text)}`));
  // In the order of the page, which the states of its texts had then.
  const order = new Map([...all.keys()].map((name, at) => [name, at]));
  const place = (text: MenuText) => order.get(`seen.${menuTextKey(text)}`) ?? 0;
  shown.sort((left, right) => place(left) - place(right));
  const keys = shown.map(menuTextKey);
  /** The words of each text as they were entered, where the form has them. */
  const entered = new Map(
    keys.flatMap((key) => {
      const [value] = all.get(`text.${key}`) ?? [];
      return value === undefined ? [] : [[key, value.trim()] as const];
    }),
  );
  const ticked = (kind: string) => keys.filter((key) => form.text(`${kind}.${key}`) === '1');
  const right = new Set(ticked('right'));
  /** Texts that are to be as their sources, in which no other words were entered. */
  const same = new Set(ticked('same'));
  /** Those in which other words stand, too. */
  const unclear = new Set<string>();
  for (const text of shown) {
    const key = menuTextKey(text);
    if (!same.has(key)) continue;
    const words = entered.get(key) ?? '';
    if (words !== '' && words !== text.source.text) unclear.add(key);
    else entered.set(key, text.source.text);
  }
  return { form, locale, shown, entered, right, same, unclear };
}

/** A value with one of its inner texts in another wording. */
function withText(value: unknown, path: MenuText['path'], locale: Locale, text: string): unknown {
  const [first, ...rest] = path;
  if (first === undefined) {
    const { [locale]: _old, ...others } = textsIn(value);
    return text === '' ? others : { ...others, [locale]: text };
  }
  if (Array.isArray(value)) {
    return value.map((one, at) => (at === first ? withText(one, rest, locale, text) : one));
  }
  const row = isObject(value) ? value : {};
  return { ...row, [first]: withText(row[first], rest, locale, text) };
}

/** One operation a record, and the key of the first text that each changes. */
function operationsOf({ shown, entered, locale }: Sent) {
  const changes = new Map<string, { operation: PanelOperation; key: string }>();
  for (const text of shown) {
    const key = menuTextKey(text);
    const words = entered.get(key);
    if (words === undefined || words === text.text) continue;
    const { resource, id, row, path } = text;
    const name = `${resource}/${id}`;
    const known = changes.get(name)?.operation;
    const field = String(path[0]);
    const data = withText({ ...row, ...known?.data }, path, locale, words) as Row;
    const operation: PanelOperation = {
      ...{ resource, id },
      data: { ...known?.data, [field]: data[field] },
      expected: { ...known?.expected, [field]: row[field] },
    };
    changes.set(name, { operation, key: changes.get(name)?.key ?? key });
  }
  return [...changes.values()];
}

/** Texts that somebody else has changed since the page showed them. */
function outdatedTexts({ form, shown, locale }: Sent): MenuText[] {
  return shown.filter(
    (text) => form.secret(`seen.${menuTextKey(text)}`) !== seenPair(text, locale),
  );
}

/** Puts pasted lines into the texts of a page, one after the other; nothing is saved. */
function fill(desk: Desk, sent: Sent): Promise<Answer> {
  const { form, shown, entered } = sent;
  const { say } = desk;
  const pasted = form.secret('pasted').replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  const lines = pasted.split('\n');
  const page = { ...sent, pasted };
  if (lines.length > shown.length) {
    const counts = { lines: lines.length, texts: shown.length };
    const message = notice('bad', say('translations.tooManyLines', counts));
    return translationsPage(desk, { ...page, status: UNPROCESSABLE, notice: message });
  }
  for (const [at, line] of lines.entries()) {
    const text = shown[at];
    const words = line.trim().replaceAll(LINE_BREAK, '\n');
    if (text && words !== '') entered.set(menuTextKey(text), words);
  }
  return translationsPage(desk, { ...page, notice: notice('good', say('translations.filled')) });
}

/** The page again, with what was entered and the reasons why nothing of it was saved. */
function refuse(
  desk: Desk,
  sent: Sent,
  status: string,
  errors: ReadonlyMap<string, string>,
  text: string,
): Promise<Answer> {
  return translationsPage(desk, { ...sent, errors, ...refusal(text, status) });
}

/** Saves the texts of a page as one write, and takes the marks from those that fit still. */
async function saveTexts(desk: Desk, sent: Sent): Promise<Answer> {
  const { db, say, tenantId } = desk;
  const { form, locale, shown, right } = sent;
  const outdated = outdatedTexts(sent);
  if (outdated.length > 0) {
    const errors = new Map(
      outdated.map((text) => [menuTextKey(text), say('translations.outdated')]),
    );
    return refuse(desk, sent, '409 Conflict', errors, say('translations.refused'));
  }
  if (sent.unclear.size > 0) {
    const errors = new Map([...sent.unclear].map((text) => [text, say('translations.unclear')]));
    return refuse(desk, sent, UNPROCESSABLE, errors, say('translations.refused'));
  }
  const changes = operationsOf(sent);
  const key = ['translations', locale, form.text('form_id'), [...sent.entered], [...right]];
  const saved =
    changes.length === 0
      ? null
      : await saveMany(
          desk,
          changes.map(({ operation }) => operation),
          key,
        );
  if (saved?.kind === 'too-many' || saved?.kind === 'failed') {
    return translationsPage(desk, { ...sent, ...sayNotDone(desk, saved) });
  }
  if (saved?.kind === 'refused') {
    const errors = new Map(
      saved.refusals.flatMap(({ index, error }) => {
        const change = changes[index];
        return change ? [[change.key, error] as const] : [];
      }),
    );
    const isOutdated = saved.refusals.some((one) => one.isOutdated);
    const status = isOutdated ? '409 Conflict' : UNPROCESSABLE;
    const whole = saved.refusals.find(({ index }) => index < 0)?.error;
    return refuse(desk, sent, status, errors, whole ?? say('translations.refused'));
  }
  const checked = shown.filter((text) => right.has(menuTextKey(text)));
  const pairs = checked.map((text) => seenPair(text, locale));
  if (pairs.length > 0) await markChecked(db, tenantId, pairs);
  const path = translationsPath(readTranslationQuery(desk));
  const n = changes.length + pairs.length;
  if (n === 0) return redirectTelling(desk, key, path, { text: 'unchanged' });
  const undo = saved?.kind === 'done' ? saved.write : undefined;
  return redirectTelling(desk, key, path, { text: 'translated', undo });
}

/** `POST /admin/translations`: saves a page, or fills it with pasted lines. */
export async function changeTranslations(desk: Desk): Promise<Answer> {
  const { request, say, reportDb, tenantId } = desk;
  const form = await readForm(request.context, constants.maxRecordFormBytes);
  const { locale } = readTranslationQuery(desk);
  const sent = readSent(form, await readMenuTexts(reportDb, tenantId, locale), locale);
  if (!isOwnForm(request, form.text('form_token'))) {
    return refuse(desk, sent, '403 Forbidden', new Map(), say('failures.stale'));
  }
  return form.text('do') === 'fill' ? fill(desk, sent) : saveTexts(desk, sent);
}
