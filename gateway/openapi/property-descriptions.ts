import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { ALL_LOCALES } from '../../db/schema/values/locale.ts';

const ENGLISH = new Intl.DisplayNames('en', { type: 'language' });

/**
 * Descriptions of properties whose declaration has none, by name. Where a name has two meanings, the
 * name of the schema or of the property around it stands before it.
 */
const DESCRIPTIONS: Record<string, string> = {
  ...Object.fromEntries(ALL_LOCALES.map((locale) => [locale, `${ENGLISH.of(locale)}.`])),
  // The envelope.
  success: 'Whether the request did what it asked for.',
  data: 'What was asked for.',
  meta: 'What the answer says about itself.',
  errors: 'All errors in Italian, by field; parts of a field follow behind a dot.',
  codes: 'The rules behind `errors`, by field, each with its parameters, such as `max`.',
  rule: 'The name of the rule.',
  settings: 'The restaurant.',
  theme: 'How the menu looks.',
  key: 'Its key; it never changes.',
  name: 'Its name, in the restaurant’s language.',
  'Allergen.name': 'Its name, in the requested language.',
  'AllergenKind.name': 'Its name, in the requested language.',
  'Additive.name': 'Its name, in the requested language.',
  'Label.name': 'Its name, in the requested language.',
  // Whole menus.
  operations: 'The operations, in the order in which they are done.',
  action: 'What is done to the record.',
  expected: 'Values that fields of the record must have at that time.',
  on_error: 'What a failed operation does to the others.',
  dry_run: 'Whether nothing is changed.',
  skip_conflicts: 'Whether fields that somebody has changed since are left.',
  format: 'The name of the format: `lavagna-menu/1`.',
  categories: 'The sections.',
  types: 'The sub-categories.',
  wineries: 'The wineries.',
  modifier_groups: 'The groups of options.',
  photos: 'The photos, by their digests; the pictures travel beside the document.',
  'MenuDocument.items': 'The dishes and wines.',
  'ExportAnswer.items': 'The dishes and wines.',
  index: 'Its place among the operations, from 0.',
  path: 'Where it stands in what was sent; empty for a deletion by absence.',
  resource: 'The kind of record; null when it is none.',
  outcome: 'What it came to.',
  external_id: 'The client’s own key of the record, or null.',
  changes: 'Each changed field with what it was before and what it is now.',
  from_version: 'The first version that it is told again.',
  // Events.
  item_id: 'The dish.',
  category_id: 'Its section.',
  allergen: 'The allergen that was filtered out.',
  events: 'Number of events.',
  menu_view: 'The menu was opened.',
  section_view: 'A section was opened.',
  item_view: 'A dish was opened.',
  search: 'Something was searched for.',
  allergen_filter: 'An allergen was filtered out.',
  locale_change: 'Another language was chosen.',
  review_click: 'The link to reviews was followed.',
  // Reports.
  locale: 'Language of the texts.',
  from: 'First day of the period.',
  to: 'Last day of the period.',
  timezone: 'Whose days these are: the restaurant’s time zone.',
  totals: 'The whole period.',
  previous: 'As many days before.',
  change: 'Change against the period before, in percent; null when there was nothing before.',
  'change.events': 'Change of the number of events, in percent.',
  'change.visitors': 'Change of the number of visitors, in percent.',
  by_type: 'The same by type of event.',
  by_day: 'Each day of the period, in order.',
  by_hour: 'Each hour of the day, from 0 to 23.',
  by_locale: 'Each language that guests read, the most frequent first.',
  'by_locale.locale': 'The language; null where the display named none.',
  date: 'The day.',
  hour: 'The hour that begins then, from 0 to 23.',
  visitors: 'Number of visitors; one who comes back on another day counts again.',
  previous_visitors: 'The same in the period before.',
  share: 'Its part of the whole, from 0 to 1.',
  total_views: 'Views of all of them.',
  total_items: 'Number of dishes that were viewed.',
  total_sections: 'Number of sections that were viewed.',
  total_never_viewed: 'Number of those that were not viewed.',
  never_viewed: 'Those on the menu that no guest opened.',
  items: 'The dishes, the most viewed first.',
  'figures.locale': 'The language that lacks translations.',
  'figures.items': 'Number of dishes that lack a translation.',
  'data.sections': 'The sections, the most viewed first.',
  id: 'Its id.',
  category_name: 'The name of its section.',
  is_active: 'Whether guests see it.',
  parent_id: 'The section that it is in; null at the top.',
  menu_type: 'Whether it is a section of dishes or of wines.',
  item_views: 'How often dishes in it were opened.',
  views: 'How often it was opened.',
  previous_views: 'The same in the period before.',
  rank: 'Its place by views, from 1.',
  previous_rank: 'Its place in the period before; null when it had none.',
  rank_change: 'Places that it has risen; null without a place before.',
  total_uses: 'Uses of all allergen filters.',
  uses: 'How often guests filtered it out.',
  previous_uses: 'The same in the period before.',
  visible_dishes: 'Number of dishes on the menu.',
  remaining_dishes: 'Number of dishes that the filter leaves.',
  allergens: 'The allergens, the most filtered first.',
  never_used: 'Allergens that no guest filtered out.',
  total_searches: 'Searches that found nothing.',
  total_queries: 'Number of different texts among them.',
  queries: 'The texts, the most frequent first.',
  'queries.query': 'The text in lower case; a long one is cut.',
  searches: 'How often guests searched for it and found nothing.',
  findings: 'What is worth knowing, the most important first.',
  kind: 'What the finding is about.',
  text: 'The finding in the restaurant’s language.',
  figures: 'The figures behind the text.',
  count: 'Number of dishes that no guest opened.',
  examples: 'Some of them.',
  weekday: 'The day of the week, from 0 for Sunday.',
  orientation: '`portrait`: it was turned clockwise, `portrait_left`: the other way.',
  hide_sold_out: 'Whether it leaves out what is sold out.',
  part: 'Which part of the menu it shows.',
  average: 'Visitors on such a day, on average.',
  overall_average: 'Visitors on any day, on average.',
};

/** Adds a description to every property of a schema that has none. */
export function describeRest(schema: unknown, around: string, inside = ''): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key !== 'properties') {
      describeRest(value, around, inside);
      continue;
    }
    for (const [name, property] of Object.entries(value as Record<string, JsonSchema>)) {
      property.description ??=
        DESCRIPTIONS[`${around}.${name}`] ??
        DESCRIPTIONS[`${inside}.${name}`] ??
        DESCRIPTIONS[name];
      describeRest(property, around, name);
    }
  }
}
