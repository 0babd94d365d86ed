import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { described } from './validation/described-as.ts';
import {
  flagInput,
  integer,
  languageRule,
  listInput,
  oneOfInput,
  requiredTextInput,
} from './validation/input-fields.ts';
import { rule } from './validation/rule.ts';
import { ALL_LOCALES } from './values/locale.ts';

// Screens on walls: how the API and the panel write them.

/** Sections that a screen may name, and parts of a menu, and the time of a page in s. */
const MAX_SCREEN_SECTIONS = 200;
const MAX_SCREEN_PARTS = 8;
const MIN_PAGE_SECONDS = 3;
const MAX_PAGE_SECONDS = 600;

/** How many letters a screen has. */
const SCREEN_CODE_LENGTH = 6;

/** Longest name of a screen, in characters. */
const MAX_SCREEN_NAME_LENGTH = 100;

/** `portrait`: the screen was turned clockwise, `portrait_left`: the other way. */
const ORIENTATIONS = ['auto', 'landscape', 'portrait', 'portrait_left'] as const;

const TEXT_SIZES = ['small', 'normal', 'large'] as const;

/** Letters that look different from each other, and that make no word. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** New letters for a screen without a place. */
export function makeScreenCode(): string {
  const letters = Array.from({ length: SCREEN_CODE_LENGTH }, () => {
    return LETTERS[randomInt(LETTERS.length)];
  });
  return letters.join('');
}

/** Typed letters as they are stored: without what stands between letters, in capitals. */
function readScreenCode(typed: string): string {
  return typed.replace(/[\s.·-]+/g, '').toUpperCase();
}

const name = described(requiredTextInput(MAX_SCREEN_NAME_LENGTH), 'What the restaurant calls it.');

/** The body that gives a screen its place. */
export const screenInput = v.object({
  name,
  code: v.pipe(
    v.string('string'),
    v.transform(readScreenCode),
    v.nonEmpty('required'),
    v.description('The six letters that the screen shows. They are valid for five minutes.'),
  ),
});

export const screenChange = v.partial(
  v.object({
    name,
    section_ids: v.pipe(
      v.nullable(v.array(integer(1), 'array')),
      v.transform((ids) => [...new Set(ids ?? [])]),
      v.maxLength(MAX_SCREEN_SECTIONS, rule('maxItems', { max: MAX_SCREEN_SECTIONS })),
      v.description('The sections that it shows, with all below them; none: all that are served.'),
    ),
    languages: described(
      listInput(ALL_LOCALES, {}, languageRule),
      'Its languages, in turn; none: the restaurant’s default.',
    ),
    page_seconds: described(
      v.nullable(integer(MIN_PAGE_SECONDS, MAX_PAGE_SECONDS)),
      'How long each page stands; null: as long as its dishes need.',
    ),
    columns: described(
      v.nullable(integer(1, 2)),
      'Columns of dishes; null: as many as the width has room for.',
    ),
    orientation: oneOfInput(ORIENTATIONS),
    text_size: described(
      oneOfInput(TEXT_SIZES),
      'The least size of its type: smaller type has more dishes on a page.',
    ),
    hide_sold_out: flagInput(),
    tells_away: described(
      flagInput(),
      'Whether owners are told when it is away for ten minutes of the opening hours.',
    ),
    part: integer(1, MAX_SCREEN_PARTS),
    parts: described(
      integer(1, MAX_SCREEN_PARTS),
      'Into how many parts screens side by side share the menu.',
    ),
  }),
);
export type ScreenChange = v.InferOutput<typeof screenChange>;

const nullableNumber = (description: string) => described(v.nullable(v.number()), description);

/** The settings of a screen, as its page reads them. */
export const screenSettings = v.object({
  name: described(v.string(), 'What the restaurant calls it.'),
  section_ids: described(v.array(v.number()), 'The sections that it shows.'),
  languages: described(v.array(v.string()), 'Its languages, in turn.'),
  page_seconds: nullableNumber('How long each page stands, in seconds.'),
  columns: nullableNumber('Columns of dishes.'),
  orientation: described(v.picklist(ORIENTATIONS), 'How it hangs.'),
  text_size: described(v.picklist(TEXT_SIZES), 'The least size of its type.'),
  hide_sold_out: described(v.boolean(), 'Whether it leaves out what is sold out.'),
  tells_away: described(v.boolean(), 'Whether owners are told when it is away.'),
  part: described(v.number(), 'Which part of the menu it shows.'),
  parts: described(v.number(), 'How many parts there are.'),
});
export type ScreenSettings = v.InferOutput<typeof screenSettings>;

/** A screen as the API shows it. */
export const screenSchema = v.object({
  id: described(v.number(), 'Names the screen.'),
  ...screenSettings.entries,
  state: described(
    v.picklist(['here', 'away']),
    'away: its stream has ended, or it has not been heard of for eleven minutes.',
  ),
  last_seen_at: described(v.string(), 'Its last contact.'),
  version: nullableNumber('The version of the menu that it was given last.'),
  width: nullableNumber('In pixels of CSS.'),
  height: nullableNumber('In pixels of CSS.'),
  created_at: described(v.string(), 'When it got its place.'),
  updated_at: described(v.string(), 'When its settings were changed last.'),
});
