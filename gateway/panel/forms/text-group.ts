import { LANGUAGE_NAMES, type Locale } from '../../../db/schema/values/locale.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { type FormView, one } from './draft.ts';
import { group, input } from './inputs.ts';

/** Longer texts get several lines. */
export const LONG_TEXTS = new Set([
  'description',
  'notes',
  'allergen_info',
  'cover_charge_text',
  'footer_text',
  'address',
  'ingredients',
]);

/** From so many languages on, the first one of a text stands alone where there is little room. */
const FOLDED_FROM = 3;

/** Makes inputs of a text in some of its languages; what is missing beside others is marked. */
function textInputs(view: FormView, name: string) {
  const { say, draft, locales, errors } = view;
  const isWritten = (locale: Locale) => one(draft, `${name}.${locale}`).trim() !== '';
  const hasSome = locales.some(isWritten);
  const inputs = (wanted: readonly Locale[]) =>
    wanted.map((locale) => {
      const field = `${name}.${locale}`;
      const isMissing = hasSome && !isWritten(locale);
      return input({
        ...{ name: field, label: LANGUAGE_NAMES[locale], value: one(draft, field), lang: locale },
        isFocused: name === view.focused && locale === locales[0],
        error: errors[field],
        mark: isMissing && html` <span class="lacks">${say('editor.missing')}</span>`,
        ...(LONG_TEXTS.has(name) && { rows: 3 }),
      });
    });
  const hasErrors = locales.slice(1).some((locale) => errors[`${name}.${locale}`]);
  return { inputs, isUsed: hasSome || hasErrors };
}

/** The input of a menu of one language, which does not name it. */
function onlyText(view: FormView, name: string, locale: Locale, legend: Content, hint?: string) {
  const { draft, errors } = view;
  const field = `${name}.${locale}`;
  return input({
    ...{ name: field, label: legend, value: one(draft, field), lang: locale, hint },
    isFocused: name === view.focused,
    error: errors[field] ?? errors[name],
    ...(LONG_TEXTS.has(name) && { rows: 3 }),
  });
}

const side = (inputs: Content) => html`<div class="languages-side">${inputs}</div>`;

/** One text in each language; of many languages, those that nothing is written in are folded. */
export function textGroup(view: FormView, name: string, legend: Content, hint?: string): Html {
  const { say, locales, errors, isBrief = false } = view;
  const [only, ...more] = locales;
  if (only !== undefined && more.length === 0) return onlyText(view, name, only, legend, hint);
  const { inputs, isUsed } = textInputs(view, name);
  const folded = () =>
    html`<details class="others"><summary>${say('editor.otherLanguages')}</summary>${side(inputs(more))}</details>`;
  const isMany = locales.length >= FOLDED_FROM;
  const content =
    isMany && (isBrief || !isUsed)
      ? html`${side(inputs(locales.slice(0, 1)))}${!isBrief && folded()}`
      : side(inputs(locales));
  return group(name, legend, content, {
    hint,
    error: locales.some((locale) => errors[`${name}.${locale}`]) ? undefined : errors[name],
    kind: 'texts',
  });
}

/** The languages that a brief text leaves out, as a part of the form; open where it is written. */
export function otherTexts(view: FormView, name: string, label: string): Content {
  if (view.locales.length < FOLDED_FROM) return null;
  const { inputs, isUsed } = textInputs(view, name);
  const title = `${label} · ${view.say('editor.otherLanguages')}`;
  const locked = view.locked?.has(name) === true && html` disabled`;
  return html`<details class="card part"${isUsed && html` open`}><summary><h2>${title}</h2></summary>\
<fieldset class="field"${locked}><legend class="hidden">${title}</legend>${side(inputs(view.locales.slice(1)))}</fieldset></details>`;
}
