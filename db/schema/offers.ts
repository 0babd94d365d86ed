import type { ShownPartsOf } from './field.ts';
import { date, localizedText, requiredPrice, time, weekdays } from './kinds.ts';
import { list } from './lists.ts';
import { broken } from './validation/rule.ts';

type Row = Record<string, unknown>;

const MOST_OFFERS = 6;

const offerParts = {
  label: localizedText(100, {
    label: 'fields.offer.label',
    description: 'What the offer is called, such as “happy hour”; empty for none.',
  }),
  price: requiredPrice({
    label: 'fields.dish.price',
    description: 'The price of the dish while the offer holds.',
  }),
  weekdays: weekdays({
    label: 'fields.section.weekdays',
    description: 'The days on which it holds, from 1, Monday, to 7; null for all.',
  }),
  time_start: time({
    label: 'fields.section.time_start',
    description: 'When it begins, `HH:MM` in the restaurant’s local time; null for all day.',
  }),
  time_end: time({
    label: 'fields.section.time_end',
    description: 'When it ends; past midnight when it is not after `time_start`.',
  }),
  date_start: date({
    label: 'fields.section.date_start',
    description: 'The first day on which it holds, or null.',
  }),
  date_end: date({
    label: 'fields.section.date_end',
    description: 'The last day on which it holds, or null.',
  }),
};
export type Offer = ShownPartsOf<typeof offerParts>;

/** Hours have both ends, and days come in their order. */
function checkOffer({ time_start, time_end, date_start, date_end }: Row) {
  if (time_start === null && time_end !== null) {
    return { part: 'time_start', broken: broken('required') };
  }
  if (time_end === null && time_start !== null) {
    return { part: 'time_end', broken: broken('required') };
  }
  if (typeof date_start !== 'string' || typeof date_end !== 'string') return null;
  return date_start <= date_end
    ? null
    : { part: 'date_end', broken: broken('notBefore', { date: date_start }) };
}

/** Prices that hold at certain times, beside the usual one; they inform displays. */
export function offers() {
  return list(
    offerParts,
    { max: MOST_OFFERS, check: checkOffer },
    {
      label: 'fields.dish.offers',
      description: 'Prices that hold at certain times. They inform displays: `price` stays.',
    },
  );
}
