// Every text of every language is a message that its placeholders can fill in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { PANEL_LANGUAGES, type PanelLanguage, textsByKey } from '../../db/texts/catalogues.ts';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** The names of the values that a message takes. */
function placeholders(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    if (!('value' in element) || element.type === 0) return [];
    const inner = 'options' in element ? Object.values(element.options ?? {}) : [];
    return [element.value, ...inner.flatMap((one) => placeholders(one.value))];
  });
}

function namesIn(text: string, locale: string): string[] {
  const message = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
  return [...new Set(placeholders(message.getAst()))].sort();
}

for (const locale of PANEL_LANGUAGES) {
  test(`each text in ${locale} takes the values that the Italian one takes`, () => {
    const italian = textsByKey('it');
    const wrong = [...textsByKey(locale)].filter(
      ([key, text]) =>
        String(namesIn(text, locale)) !== String(namesIn(italian.get(key) ?? '', 'it')),
    );
    assert.deepEqual(wrong, []);
  });
}

/** The stem of the word on a button that leaves a page without saving. */
const CANCEL: Partial<Record<PanelLanguage, RegExp>> = {
  it: /annull/i,
  en: /cancel/i,
  fr: /annul/i,
  de: /abbrech|abbruch/i,
  es: /cancel/i,
};

for (const [locale, word] of Object.entries(CANCEL) as [PanelLanguage, RegExp][]) {
  test(`the word for cancel in ${locale} is on buttons that cancel alone: to undo is another one`, () => {
    const found = [...textsByKey(locale)].filter(([, text]) => word.test(text));
    assert.ok(found.length > 0);
    for (const [key] of found) assert.match(key, /\.cancel$/);
  });
}
