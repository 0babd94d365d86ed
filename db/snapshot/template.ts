import { inOneGo } from '../runtime/in-slices.ts';
import type { Locale } from '../schema/values/locale.ts';
import { TEMPLATE_SEPARATOR } from '../sql/snapshots.ts';
import type { JsonWriter } from './json-writer.ts';
import { SectionDishes, type SectionPart } from './parts.ts';

/**
 * A section in all the locales of its restaurant. They differ in a few texts only, for all
 * translations are shown in each: it is stored and sent once, with gaps where these texts stand.
 */
export interface SectionTemplate {
  id: number;
  /** Digest of all that follows. */
  tag: string;
  /** Its `DishKey`s, as JSON. */
  dishes: string;
  dishCount: number;
  /** JSON of the section as far as it goes without the dishes, of each dish, and of the rest. */
  json: string;
  /** The texts for the gaps, in their order, as JSON. */
  texts: ReadonlyMap<Locale, string>;
  /** About what the section takes in each of the locales, in bytes. */
  sizes: readonly number[];
}

/*
 * JSON has no raw control characters, so they can separate texts without an escape. These are the
 * separators of US-ASCII from the largest unit to the smallest; `TEMPLATE_SEPARATOR` is the first.
 */

/** Between the parts of a template. */
const FIELD = '\x1d';
/** Before each dish and behind the last. */
export const DISH = '\x1e';
/** In JSON where a text of the locale stands, and between these texts. */
export const GAP = '\x1f';

export function encodeTemplate({ dishes, json, texts, ...fields }: SectionTemplate): string {
  const about = JSON.stringify({ ...fields, locales: [...texts.keys()] });
  return [about, dishes, json, ...texts.values()].join(FIELD);
}

function decodeTemplate(encoded: string): SectionTemplate {
  const [about = '', dishes = '', json = '', ...texts] = encoded.split(FIELD);
  type About = { locales: Locale[] } & Omit<SectionTemplate, 'dishes' | 'json' | 'texts'>;
  const { locales, ...fields }: About = JSON.parse(about);
  const byLocale = locales.map((locale, index) => [locale, texts[index] ?? ''] as const);
  return { ...fields, dishes, json, texts: new Map(byLocale) };
}

/**
 * @param stored texts of encoded templates with the separator between them
 * @returns by section
 */
export function decodeTemplates(stored: readonly string[]): ReadonlyMap<number, SectionTemplate> {
  return inOneGo(decodeInSteps(stored));
}

/** The same, a template a step. */
export function* decodeInSteps(
  stored: readonly string[],
): Generator<void, ReadonlyMap<number, SectionTemplate>> {
  const templates = new Map<number, SectionTemplate>();
  for (const text of stored) {
    for (const encoded of text.split(TEMPLATE_SEPARATOR)) {
      const template = decodeTemplate(encoded);
      templates.set(template.id, template);
      yield;
    }
  }
  return templates;
}

function textsIn({ id, texts }: SectionTemplate, locale: Locale): string {
  const own = texts.get(locale);
  if (own === undefined) throw new Error(`section ${id} was not built in ${locale}`);
  return own;
}

/** About what the section in a locale will be, without making it. */
export function measureTemplate(template: SectionTemplate, locale: Locale) {
  const { length } = textsIn(template, locale);
  const at = [...template.texts.keys()].indexOf(locale);
  return { bytes: template.sizes[at] ?? 0, textLength: length };
}

/** Writes the section in a locale; its JSON is what was written. */
export function fillTemplate(
  template: SectionTemplate,
  locale: Locale,
  writer: JsonWriter,
): Omit<SectionPart, 'json'> {
  const { id, tag, dishes, json } = template;
  const texts = textsIn(template, locale);
  const fillings = texts.split(GAP);
  const begin = writer.length();
  let used = 0;
  const fill = (gapped = '', before = '') => {
    const [first = '', ...others] = gapped.split(GAP);
    let text = before + first;
    for (const piece of others) {
      text += fillings[used] + piece;
      used += 1;
    }
    writer.write(text);
  };
  const [head, ...pieces] = json.split(DISH);
  const tail = pieces.pop();
  fill(head);
  const edges = [writer.length() - begin];
  for (const [index, piece] of pieces.entries()) {
    fill(piece, index > 0 ? ',' : '');
    edges.push(writer.length() - begin + 1);
  }
  fill(tail);
  return { id, tag, textLength: texts.length, dishes: new SectionDishes(dishes, edges) };
}

/** A section of a snapshot: made for its locale, or to be made from its template. */
export type SnapshotSection = SectionPart | SectionTemplate;
export type SnapshotSections = ReadonlyMap<number, SnapshotSection>;

/** @throws Error when it is missing */
export function sectionOf(sections: SnapshotSections, id: number): SnapshotSection {
  const section = sections.get(id);
  if (!section) throw new Error(`a snapshot lacks its section ${id}`);
  return section;
}

export function isTemplate(section: SnapshotSection): section is SectionTemplate {
  return 'texts' in section;
}
