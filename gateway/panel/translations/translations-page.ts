import { constants } from '../../../db/runtime/constants.ts';
import { records } from '../../../db/schema/registry.ts';
import { pairOf, TRANSLATION_STATES } from '../../../db/schema/translation.ts';
import { ALL_LOCALES, directionOf, type Locale } from '../../../db/schema/values/locale.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import type { MenuText } from '../../../db/snapshot/menu-texts.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import { readMenuTexts } from '../../routes/translations.ts';
import type { Desk } from '../desk.ts';
import { choiceInput, inputId, languageOptions, select } from '../forms/inputs.ts';
import { describedBy, fieldError, onceFields } from '../pages/fields.ts';
import { type PageState, titledPage } from '../pages/page.ts';
import { nameIn } from '../texts/choose.ts';
import { messageNotice } from '../writes/message.ts';

export const TRANSLATIONS_PATH = '/admin/translations';

type TranslationQuery = ReturnType<typeof readTranslationQuery>;

/** The languages into which a menu can be translated: those that it has. */
function languagesOf({ request }: Desk): readonly Locale[] {
  const { fallbackLocale } = request.context.restaurant.tenant;
  const { locales } = request.brand;
  const others = ALL_LOCALES.filter((one) => locales.includes(one) && one !== fallbackLocale);
  // Texts without one in the fallback are translated into it.
  return [...others, fallbackLocale];
}

/** The query of a page's address; what it names wrongly counts as not there. */
export function readTranslationQuery(desk: Desk) {
  const asked = parseQuery(desk.request.context.query);
  const languages = languagesOf(desk);
  return {
    locale: languages.find((one) => one === asked.get('to')) ?? (languages[0] as Locale),
    /** Null for all. */
    state: TRANSLATION_STATES.find((one) => one === asked.get('state')) ?? null,
    /** From 1. */
    page: parseRecordId(asked.get('page') ?? '') ?? 1,
  };
}

export function translationsPath({ locale, state, page }: TranslationQuery): string {
  const query = new URLSearchParams({
    to: locale,
    ...(state && { state }),
    ...(page > 1 && { page: String(page) }),
  });
  return `${TRANSLATIONS_PATH}?${query}`;
}

/** Names a text in a form: `items.12.variants.0.label`. */
export function menuTextKey({ resource, id, path }: MenuText): string {
  return [resource, id, ...path].join('.');
}

/** Names a text as it was when a page showed it. */
export function seenPair({ source, text }: MenuText, locale: Locale): string {
  return pairOf(locale, source.text, text);
}

/** A page as somebody has filled it in. */
interface TranslationsPageState extends PageState {
  /** The words that were entered, by the keys of their texts. */
  entered?: ReadonlyMap<string, string>;
  /** The keys of texts that are said to fit still. */
  right?: ReadonlySet<string>;
  /** The keys of texts that are to be as their sources. */
  same?: ReadonlySet<string>;
  errors?: ReadonlyMap<string, string>;
  /** Texts that stay on the page whatever their state is now. */
  shown?: readonly MenuText[];
  pasted?: string;
}

/** A line break within a text, where each line is a text. */
export const LINE_BREAK = '⏎';

const LONG = 60;

/** The texts of a page, in their order. */
function pageOf(texts: readonly MenuText[], { state, page }: TranslationQuery): MenuText[] {
  const wanted = texts.filter((one) => state === null || one.state === state);
  const { translationsPerPage: count } = constants;
  return wanted.slice((page - 1) * count, page * count);
}

/** Whose text it is, such as `Gricia · Description`. */
function whereOf({ request: { say, language } }: Desk, text: MenuText): string {
  const { resource, row, path, field, id } = text;
  const label = say(field.options.label);
  const numbers = path.filter((one) => typeof one === 'number').map((at) => at + 1);
  const kind = say(records[resource].label);
  const isPhoto = resource === 'photos';
  const name = isPhoto
    ? say('photos.numbered', { n: id })
    : nameIn((row.name ?? '') as string, language);
  const whose = isPhoto || resource !== 'settings' ? name : kind;
  return [whose, label, ...numbers].filter((one) => one !== '').join(' · ');
}

function stateTag({ request: { say } }: Desk, { state }: MenuText): Content {
  if (state === 'done') return null;
  return html` <span class="tag warn">${say(`translations.${state}`)}</span>`;
}

/** Names such as Carbonara are the same in all languages; longer texts never are. */
const canBeSame = ({ state, source }: MenuText) =>
  state === 'missing' && source.text.length <= LONG && !source.text.includes('\n');

function textRow(desk: Desk, text: MenuText, locale: Locale, state: TranslationsPageState): Html {
  const { say } = desk;
  const key = menuTextKey(text);
  const name = `text.${key}`;
  const id = inputId(name);
  const { source } = text;
  const value = state.entered?.get(key) ?? text.text;
  const error = state.errors?.get(key);
  const isLong = Math.max(source.text.length, value.length) > LONG;
  const rows = isLong || /\n/.test(source.text + value) ? 4 : 1;
  const attributes = html`lang="${locale}" dir="${directionOf(locale)}" aria-labelledby="${id}-where"${describedBy(id, { error })} aria-invalid="${error === undefined ? 'false' : 'true'}"`;
  const box = (kind: 'right' | 'same') =>
    choiceInput('checkbox', {
      ...{ name: `${kind}.${key}`, value: '1', label: say(`translations.${kind}`) },
      checked: state[kind]?.has(key) === true,
    });
  const boxes = [text.state === 'stale' && box('right'), canBeSame(text) && box('same')];
  return html`<li class="${text.state}"><p class="where" id="${id}-where"><span dir="auto">${whereOf(desk, text)}</span>${stateTag(desk, text)}</p>
<p class="source" lang="${source.locale}" dir="${directionOf(source.locale)}">${source.text}</p>
<div class="target"><textarea id="${id}" name="${name}" rows="${rows}" autocomplete="off" ${attributes}>
${value}</textarea>
<input type="hidden" name="seen.${key}" value="${seenPair(text, locale)}">${fieldError(id, error)}${boxes}</div></li>`;
}

function filterForm(desk: Desk, { locale, state }: TranslationQuery): Html {
  const { say } = desk;
  const states = [
    { value: '', label: say('translations.all') },
    ...TRANSLATION_STATES.map((one) => ({ value: one, label: say(`translations.${one}`) })),
  ];
  return html`<form class="find translations-find" method="get" action="${TRANSLATIONS_PATH}">
${select({ name: 'to', label: say('translations.language'), value: locale }, languageOptions(languagesOf(desk)))}
${select({ name: 'state', label: say('translations.show'), value: state ?? '' }, states)}
<button class="button">${say('service.show')}</button></form>`;
}

function pasteForm(desk: Desk, shown: readonly MenuText[], state: TranslationsPageState): Html {
  const { say } = desk;
  const lines = shown.map(({ source }) => source.text.replaceAll('\n', LINE_BREAK)).join('\n');
  const pasted = state.pasted ?? '';
  return html`<details class="paste"${pasted !== '' && html` open`}><summary>${say('translations.paste')}</summary>
<p class="hint" id="paste-hint">${say('translations.pasteHint', { sign: LINE_BREAK })}</p>
<div class="pair"><div class="field"><label for="sources">${say('translations.sources')}</label>
<textarea id="sources" rows="8" readonly dir="auto">
${lines}</textarea></div>
<div class="field"><label for="pasted">${say('translations.pasted')}</label>
<textarea id="pasted" name="pasted" rows="8" dir="auto" aria-describedby="paste-hint">
${pasted}</textarea></div></div>
<button class="button" name="do" value="fill">${say('translations.fill')}</button></details>`;
}

function pageLinks(desk: Desk, query: TranslationQuery, total: number): Content {
  const { say } = desk;
  const last = Math.ceil(total / constants.translationsPerPage);
  const link = (page: number, text: string) =>
    html`<a class="button" href="${translationsPath({ ...query, page })}">${text}</a>`;
  if (last <= 1) return null;
  return html`<p class="row pages">${query.page > 1 && link(query.page - 1, say('translations.before'))}
<span>${say('translations.page', { page: query.page, last })}</span>
${query.page < last && link(query.page + 1, say('translations.next'))}</p>`;
}

/** `GET /admin/translations`: each text of the menu beside its translation, what is missing first. */
export async function translationsPage(desk: Desk, state: TranslationsPageState = {}) {
  const { request, say } = desk;
  const query = readTranslationQuery(desk);
  const { locale } = query;
  const all = await readMenuTexts(desk.reportDb, desk.tenantId, locale);
  const count = (wanted: MenuText['state']) => all.filter((one) => one.state === wanted).length;
  const counts = { missing: count('missing'), stale: count('stale'), total: all.length };
  const shown = state.shown ?? pageOf(all, query);
  const total = query.state === null ? all.length : count(query.state);
  const isAlone = languagesOf(desk).length < 2;
  const list =
    shown.length === 0
      ? html`<p class="hint">${say('translations.none')}</p>`
      : html`<form class="translations" method="post" action="${translationsPath(query)}">${onceFields(request)}
<ul class="texts">${shown.map((text) => textRow(desk, text, locale, state))}</ul>
<div class="save"><button class="main" name="do" value="save">${say('translations.save')}</button></div>
${pasteForm(desk, shown, state)}
</form>${pageLinks(desk, query, total)}`;
  const content = html`${isAlone && html`<p class="hint">${say('translations.alone')} <a href="/admin/restaurant">${say('places.restaurant')}</a></p>`}
${filterForm(desk, query)}
<p class="count">${say('translations.counts', counts)}</p>
${list}`;
  return titledPage(desk, {
    state: { ...state, notice: state.notice ?? (await messageNotice(desk)) },
    ...{ title: say('places.translations'), intro: say('translations.intro'), content },
    place: 'translations',
  });
}
