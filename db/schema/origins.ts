import * as v from 'valibot';
import { choice, localizedText, text } from './kinds.ts';
import { list } from './lists.ts';
import { nullableCountry } from './nullable-kinds.ts';
import { broken } from './validation/rule.ts';
import { ORIGINS } from './values/country.ts';
import type { Row } from './values/row.ts';

const MOST_ORIGINS = 8;

/** The kinds of ingredients whose origin laws ask for. */
export const ORIGIN_KINDS = [
  'beef',
  'pork',
  'sheep',
  'poultry',
  'meat',
  'fish',
  'bread',
  'egg',
  'other',
] as const;
export type OriginKind = (typeof ORIGIN_KINDS)[number];

const place = (description: string) => nullableCountry(ORIGINS, description);

const originParts = {
  ingredient: localizedText(
    100,
    'What it is, such as “entrecôte”; it may be empty where `kind` says enough.',
  ),
  kind: choice(v.picklist(ORIGIN_KINDS), {
    description: 'What the laws of origin take it for.',
    default: 'other',
  }),
  country: place('Where it comes from: ISO 3166-1 alpha-2, `EU`, `non_EU`, or null.'),
  born: place('Where the animal was born, or null.'),
  reared: place('Where the animal was reared, or null.'),
  slaughtered: place('Where the animal was slaughtered, or null.'),
  catch_area: text(100, 'Where a fish was caught, such as `FAO 37.2.1`.'),
  note: text(200, 'What else a law wants to be said, such as how the animal was kept.'),
};

/** Some ingredient has to be named. */
function checkOrigin({ kind, ingredient }: Row) {
  const isNamed = typeof ingredient === 'string' || Object.keys(ingredient ?? {}).length > 0;
  return kind !== 'other' || isNamed ? null : { part: 'ingredient', broken: broken('required') };
}

/** Where the ingredients of a dish come from, as data. */
export function origins() {
  return list(
    originParts,
    { topic: 'origin', max: MOST_ORIGINS, check: checkOrigin },
    'Where single ingredients come from, as laws ask for it; `origin` is a text beside it.',
  );
}
