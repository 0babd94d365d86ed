import { memoize, once } from '../../runtime/memoize.ts';
import { LOCALES, type Locale } from './locale.ts';

/** Countries by ISO 3166-1 alpha-2. */
export const COUNTRIES: readonly string[] = `
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM
BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX
CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG
GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV
LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE
NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO
RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF
WS YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

/** The member states of the European Union. */
export const EU_COUNTRIES: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Where an ingredient may come from: a country, or one of many inside or outside of the Union. */
export const ORIGINS: readonly string[] = [...COUNTRIES, 'EU', 'non_EU'];

const namesIn = memoize((locale: Locale) => new Intl.DisplayNames([locale], { type: 'region' }));

/** The name of a country, or of the European Union, in a language; the code of what has none there. */
export function countryName(code: string, locale: Locale): string {
  return /^[A-Z]{2}$/.test(code) ? (namesIn(locale).of(code) ?? code) : code;
}

/** Other names that people write. */
const OTHERS: Readonly<Record<string, string>> = {
  UK: 'GB',
  USA: 'US',
  UE: 'EU',
  'EXTRA UE': 'non_EU',
  'NON UE': 'non_EU',
  'HORS UE': 'non_EU',
  'FUERA DE LA UE': 'non_EU',
  'FUORI DALL’UE': 'non_EU',
  'NICHT EU': 'non_EU',
  'NON EU': 'non_EU',
};

const plain = (text: string) =>
  text
    .trim()
    .toLocaleUpperCase()
    .replaceAll(/[\s_-]+/g, ' ');

const byName = once(() => {
  const named = LOCALES.flatMap((locale) =>
    [...COUNTRIES, 'EU'].map((code) => [plain(countryName(code, locale)), code] as const),
  );
  const codes = ORIGINS.map((code) => [plain(code), code] as const);
  return new Map([...named, ...Object.entries(OTHERS), ...codes]);
});

/** The place that a code means, or a name in one of five languages; undefined for other texts. */
export function findCountry(text: string): string | undefined {
  return byName().get(plain(text));
}
