import type { Settings } from '../schema/settings.ts';
import { EU_COUNTRIES } from '../schema/values/country.ts';
import { austria } from './countries/at.ts';
import { switzerland } from './countries/ch.ts';
import type { CountryLaw, Rule } from './countries/country-law.ts';
import { germany } from './countries/de.ts';
import { spain } from './countries/es.ts';
import { europeanUnion } from './countries/eu.ts';
import { france } from './countries/fr.ts';
import { unitedKingdom } from './countries/gb.ts';
import { italy } from './countries/it.ts';
import { unitedStates } from './countries/us.ts';

const COUNTRIES: Readonly<Record<string, CountryLaw>> = {
  AT: austria,
  CH: switzerland,
  DE: germany,
  ES: spain,
  FR: france,
  GB: unitedKingdom,
  IT: italy,
  US: unitedStates,
};

/** The day on which the rules were last compared with the laws. */
export const RULES_AS_OF = '2026-11-28';

/** The settings on which it depends what holds for a restaurant. */
export type LegalPlace = Partial<Pick<Settings, 'country' | 'region' | 'chain_size'>>;

/** The laws of a place: those of the Union, then the country's own; none without a country. */
export function lawsOf({ country }: LegalPlace): CountryLaw[] {
  if (!country) return [];
  const own = COUNTRIES[country];
  return [...(EU_COUNTRIES.has(country) ? [europeanUnion] : []), ...(own ? [own] : [])];
}

/** Whether a rule, a sentence or a reminder holds for a restaurant. */
export function holdsFor(
  { holds = {} }: Pick<Rule, 'holds'>,
  { region, chain_size = 'none' }: LegalPlace,
): boolean {
  if (holds.chain_size && holds.chain_size !== chain_size) return false;
  if (!holds.region) return true;
  return region ? region === holds.region.code : holds.region.optional === true;
}
