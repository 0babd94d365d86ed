import { DAY } from '../../../../db/day.ts';
import type { Locale } from '../../../../db/records/locale.ts';
import type { Figures } from '../report-schemas.ts';

type Kind = Figures['kind'];
type Of<K extends Kind> = Extract<Figures, { kind: K }>;
/** How a language writes figures: numbers, percentages, weekdays, languages, lists of names. */
interface Pen {
  number(value: number): string;
  percent(value: number): string;
  signed(value: number | null): string;
  weekday(day: number): string;
  language(locale: Locale): string;
  names(list: readonly { name: string }[]): string;
}
type Texts = { [K in Kind]: (figures: Of<K>, pen: Pen) => string };

const it: Texts = {
  visitors: (f, p) =>
    `I visitatori sono ${p.number(f.visitors)}, erano ${p.number(f.previous_visitors)} nel periodo precedente${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `«${f.name}» piace di più: aperto ${p.number(f.views)} volte, ${p.number(f.previous_views)} nel periodo precedente${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `«${f.name}» piace di meno: aperto ${p.number(f.views)} volte, ${p.number(f.previous_views)} nel periodo precedente${p.signed(f.change)}.`,
  never_viewed: (f, p) =>
    `Nessuno ha aperto ${p.number(f.count)} dei ${p.number(f.visible)} piatti del menu, tra cui ${p.names(f.examples)}.`,
  busiest_hour: (f, p) =>
    `L'ora con più visitatori è tra le ${f.hour} e le ${f.hour + 1}: ${p.percent(f.share)} del totale.`,
  busiest_weekday: (f, p) =>
    `Il giorno con più visitatori è ${p.weekday(f.weekday)}: in media ${p.number(f.average)}, contro ${p.number(f.overall_average)} di un giorno qualsiasi.`,
  missing_translations: (f, p) =>
    `Chi legge in ${p.language(f.locale)} ha aperto ${p.number(f.views)} volte piatti non tradotti (${p.number(f.items)}), tra cui ${p.names(f.examples)}.`,
  narrow_allergen: (f, p) =>
    `Il filtro «${f.name}» è stato usato ${p.number(f.uses)} volte e lascia solo ${p.number(f.remaining_dishes)} piatti su ${p.number(f.visible_dishes)}.`,
};

const en: Texts = {
  visitors: (f, p) =>
    `There were ${p.number(f.visitors)} visitors, ${p.number(f.previous_visitors)} in the period before${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `“${f.name}” is rising: opened ${p.number(f.views)} times, ${p.number(f.previous_views)} in the period before${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `“${f.name}” is falling: opened ${p.number(f.views)} times, ${p.number(f.previous_views)} in the period before${p.signed(f.change)}.`,
  never_viewed: (f, p) =>
    `Nobody opened ${p.number(f.count)} of the menu's ${p.number(f.visible)} dishes, among them ${p.names(f.examples)}.`,
  busiest_hour: (f, p) =>
    `The busiest hour is from ${f.hour}:00 to ${f.hour + 1}:00, with ${p.percent(f.share)} of the visitors.`,
  busiest_weekday: (f, p) =>
    `The busiest day is ${p.weekday(f.weekday)}: ${p.number(f.average)} visitors on average, against ${p.number(f.overall_average)} on any day.`,
  missing_translations: (f, p) =>
    `Readers of ${p.language(f.locale)} opened dishes that are not translated for them (${p.number(f.items)}) ${p.number(f.views)} times, among them ${p.names(f.examples)}.`,
  narrow_allergen: (f, p) =>
    `The filter “${f.name}” was used ${p.number(f.uses)} times and leaves only ${p.number(f.remaining_dishes)} of ${p.number(f.visible_dishes)} dishes.`,
};

const fr: Texts = {
  visitors: (f, p) =>
    `Il y a eu ${p.number(f.visitors)} visiteurs, contre ${p.number(f.previous_visitors)} la période précédente${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `« ${f.name} » progresse : ouvert ${p.number(f.views)} fois, ${p.number(f.previous_views)} la période précédente${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `« ${f.name} » recule : ouvert ${p.number(f.views)} fois, ${p.number(f.previous_views)} la période précédente${p.signed(f.change)}.`,
  never_viewed: (f, p) =>
    `Personne n'a ouvert ${p.number(f.count)} des ${p.number(f.visible)} plats de la carte, dont ${p.names(f.examples)}.`,
  busiest_hour: (f, p) =>
    `L'heure la plus fréquentée va de ${f.hour} h à ${f.hour + 1} h : ${p.percent(f.share)} des visiteurs.`,
  busiest_weekday: (f, p) =>
    `Le jour le plus fréquenté est ${p.weekday(f.weekday)} : ${p.number(f.average)} visiteurs en moyenne, contre ${p.number(f.overall_average)} un jour quelconque.`,
  missing_translations: (f, p) =>
    `Les lecteurs en ${p.language(f.locale)} ont ouvert ${p.number(f.views)} fois des plats non traduits (${p.number(f.items)}), dont ${p.names(f.examples)}.`,
  narrow_allergen: (f, p) =>
    `Le filtre « ${f.name} » a servi ${p.number(f.uses)} fois et ne laisse que ${p.number(f.remaining_dishes)} plats sur ${p.number(f.visible_dishes)}.`,
};

const de: Texts = {
  visitors: (f, p) =>
    `Es kamen ${p.number(f.visitors)} Besucher, im Zeitraum davor ${p.number(f.previous_visitors)}${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `„${f.name}“ steigt: ${p.number(f.views)}-mal geöffnet, im Zeitraum davor ${p.number(f.previous_views)}-mal${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `„${f.name}“ fällt: ${p.number(f.views)}-mal geöffnet, im Zeitraum davor ${p.number(f.previous_views)}-mal${p.signed(f.change)}.`,
  never_viewed: (f, p) =>
    `${p.number(f.count)} von ${p.number(f.visible)} Gerichten der Karte hat niemand geöffnet, darunter ${p.names(f.examples)}.`,
  busiest_hour: (f, p) =>
    `Die meisten Besucher kommen zwischen ${f.hour} und ${f.hour + 1} Uhr: ${p.percent(f.share)} aller.`,
  busiest_weekday: (f, p) =>
    `Die meisten Besucher kommen am ${p.weekday(f.weekday)}: im Mittel ${p.number(f.average)}, an einem beliebigen Tag ${p.number(f.overall_average)}.`,
  missing_translations: (f, p) =>
    `Wer auf ${p.language(f.locale)} liest, hat ${p.number(f.views)}-mal Gerichte ohne Übersetzung (${p.number(f.items)}) geöffnet, darunter ${p.names(f.examples)}.`,
  narrow_allergen: (f, p) =>
    `Der Filter „${f.name}“ wurde ${p.number(f.uses)}-mal benutzt und lässt nur ${p.number(f.remaining_dishes)} von ${p.number(f.visible_dishes)} Gerichten übrig.`,
};

const es: Texts = {
  visitors: (f, p) =>
    `Hubo ${p.number(f.visitors)} visitantes, frente a ${p.number(f.previous_visitors)} en el período anterior${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `«${f.name}» sube: abierto ${p.number(f.views)} veces, ${p.number(f.previous_views)} en el período anterior${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `«${f.name}» baja: abierto ${p.number(f.views)} veces, ${p.number(f.previous_views)} en el período anterior${p.signed(f.change)}.`,
  never_viewed: (f, p) =>
    `Nadie ha abierto ${p.number(f.count)} de los ${p.number(f.visible)} platos de la carta, entre ellos ${p.names(f.examples)}.`,
  busiest_hour: (f, p) =>
    `La hora con más visitantes va de las ${f.hour} a las ${f.hour + 1}: ${p.percent(f.share)} del total.`,
  busiest_weekday: (f, p) =>
    `El día con más visitantes es el ${p.weekday(f.weekday)}: ${p.number(f.average)} de media, frente a ${p.number(f.overall_average)} en un día cualquiera.`,
  missing_translations: (f, p) =>
    `Quienes leen en ${p.language(f.locale)} han abierto ${p.number(f.views)} veces platos sin traducir (${p.number(f.items)}), entre ellos ${p.names(f.examples)}.`,
  narrow_allergen: (f, p) =>
    `El filtro «${f.name}» se ha usado ${p.number(f.uses)} veces y deja solo ${p.number(f.remaining_dishes)} platos de ${p.number(f.visible_dishes)}.`,
};

const TEXTS: Record<Locale, Texts> = { it, en, fr, de, es };
/** A Sunday: weekdays are counted from it. */
const SUNDAY = Date.UTC(2023, 0, 1);

function penOf(locale: Locale): Pen {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const signed = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const language = new Intl.DisplayNames(locale, { type: 'language' });
  const list = new Intl.ListFormat(locale);
  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value),
    signed: (value) => (value === null ? '' : ` (${signed.format(value / 100)})`),
    weekday: (day) => weekday.format(SUNDAY + day * DAY),
    language: (code) => language.of(code) ?? code,
    names: (dishes) => list.format(dishes.map(({ name }) => name)),
  };
}

/** One a language, for good: to make one takes Node longer than all else that a finding takes. */
const pens = new Map<Locale, Pen>();

/** A finding in plain words of the restaurant's own language. */
export function sayFinding(figures: Figures, locale: Locale): string {
  const text = TEXTS[locale][figures.kind] as (figures: Figures, pen: Pen) => string;
  const pen = pens.get(locale) ?? penOf(locale);
  pens.set(locale, pen);
  return text(figures, pen);
}
