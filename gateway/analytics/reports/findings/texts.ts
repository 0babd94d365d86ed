import type { Locale } from '../../../../db/schema/locale.ts';
import type { Figures } from '../report-schemas.ts';
import { type LocaleFormat, localeFormat } from './locale-format.ts';

type Kind = Figures['kind'];
type Of<K extends Kind> = Extract<Figures, { kind: K }>;
type Texts = { [K in Kind]: (figures: Of<K>, format: LocaleFormat) => string };

/** How a language says an hour of the clock, from 0 to 24. */
function italianHour(hour: number): string {
  if (hour % 24 === 0) return 'mezzanotte';
  return hour === 1 ? "l'una" : `le ${hour}`;
}

const it: Texts = {
  visitors: (f, p) =>
    `${f.visitors === 1 ? "C'è stato un solo visitatore" : `I visitatori sono ${p.number(f.visitors)}`}, ${f.previous_visitors === 1 ? 'era uno solo' : `erano ${p.number(f.previous_visitors)}`} nel periodo precedente${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `«${f.name}» piace di più: aperto ${p.count(f.views, 'volta', 'volte')}, ${p.number(f.previous_views)} nel periodo precedente${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `«${f.name}» piace di meno: aperto ${p.count(f.views, 'volta', 'volte')}, ${p.number(f.previous_views)} nel periodo precedente${p.signed(f.change)}.`,
  never_viewed: (f, p) => {
    const names = p.names(f.examples, f.count, ', tra cui ', ': ');
    if (f.visible === 1)
      return `Nessuno ha aperto l'unico piatto del menù che si può aprire${names}.`;
    if (f.count === 1) {
      return `Dei ${p.number(f.visible)} piatti del menù che si possono aprire uno non è stato aperto da nessuno${names}.`;
    }
    return `Nessuno ha aperto ${p.number(f.count)} dei ${p.number(f.visible)} piatti del menù che si possono aprire${names}.`;
  },
  busiest_hour: (f, p) =>
    `L'ora con più visitatori è tra ${italianHour(f.hour)} e ${italianHour(f.hour + 1)}: ${p.percent(f.share)} del totale.`,
  busiest_weekday: (f, p) =>
    `Il giorno con più visitatori è ${p.weekday(f.weekday)}: in media ${p.number(f.average)}, contro ${p.number(f.overall_average)} di un giorno qualsiasi.`,
  missing_translations: (f, p) =>
    `Chi legge in ${p.language(f.locale)} ha aperto ${p.count(f.views, 'volta', 'volte')} ${f.items === 1 ? 'un piatto non tradotto' : `piatti non tradotti (${p.number(f.items)})`}${p.names(f.examples, f.items, ', tra cui ', ': ')}.`,
  narrow_allergen: (f, p) =>
    `Il filtro «${f.name}» è stato usato ${p.count(f.uses, 'volta', 'volte')} e ${f.remaining_dishes === 0 ? 'non lascia nessun piatto' : `lascia solo ${p.count(f.remaining_dishes, 'piatto', 'piatti')}`} su ${p.number(f.visible_dishes)}.`,
};

function englishHour(hour: number): string {
  return hour % 24 === 0 ? 'midnight' : `${hour}:00`;
}

const en: Texts = {
  visitors: (f, p) =>
    `There ${p.form(f.visitors, 'was', 'were')} ${p.count(f.visitors, 'visitor', 'visitors')}, ${p.number(f.previous_visitors)} in the period before${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `“${f.name}” is rising: opened ${p.count(f.views, 'time', 'times')}, ${p.number(f.previous_views)} in the period before${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `“${f.name}” is falling: opened ${p.count(f.views, 'time', 'times')}, ${p.number(f.previous_views)} in the period before${p.signed(f.change)}.`,
  never_viewed: (f, p) => {
    const names = p.names(f.examples, f.count, ', among them ', ': ');
    if (f.visible === 1) return `Nobody opened the menu's only dish that can be opened${names}.`;
    if (f.count === 1) {
      return `Of the menu's ${p.number(f.visible)} dishes that can be opened, one was opened by nobody${names}.`;
    }
    return `Nobody opened ${p.number(f.count)} of the menu's ${p.number(f.visible)} dishes that can be opened${names}.`;
  },
  busiest_hour: (f, p) =>
    `The busiest hour is from ${englishHour(f.hour)} to ${englishHour(f.hour + 1)}, with ${p.percent(f.share)} of the visitors.`,
  busiest_weekday: (f, p) =>
    `The busiest day is ${p.weekday(f.weekday)}: ${p.count(f.average, 'visitor', 'visitors')} on average, against ${p.number(f.overall_average)} on any day.`,
  missing_translations: (f, p) =>
    `Readers of ${p.language(f.locale)} opened ${f.items === 1 ? 'a dish that is not translated for them' : `dishes that are not translated for them (${p.number(f.items)})`} ${p.count(f.views, 'time', 'times')}${p.names(f.examples, f.items, ', among them ', ': ')}.`,
  narrow_allergen: (f, p) =>
    `The filter “${f.name}” was used ${p.count(f.uses, 'time', 'times')} and leaves ${f.remaining_dishes === 0 ? 'no dish out' : `only ${p.number(f.remaining_dishes)}`} of ${p.count(f.visible_dishes, 'dish', 'dishes')}.`,
};

function frenchHour(hour: number): string {
  return hour % 24 === 0 ? 'minuit' : `${hour} h`;
}

const fr: Texts = {
  visitors: (f, p) =>
    `Il y a eu ${p.count(f.visitors, 'visiteur', 'visiteurs')}, contre ${p.number(f.previous_visitors)} la période précédente${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `« ${f.name} » progresse : ouvert ${p.number(f.views)} fois, ${p.number(f.previous_views)} la période précédente${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `« ${f.name} » recule : ouvert ${p.number(f.views)} fois, ${p.number(f.previous_views)} la période précédente${p.signed(f.change)}.`,
  never_viewed: (f, p) => {
    const names = p.names(f.examples, f.count, ', dont ', ' : ');
    if (f.visible === 1)
      return `Personne n'a ouvert le seul plat de la carte qu'on peut ouvrir${names}.`;
    if (f.count === 1) {
      return `Sur les ${p.number(f.visible)} plats de la carte qu'on peut ouvrir, un n'a été ouvert par personne${names}.`;
    }
    return `Personne n'a ouvert ${p.number(f.count)} des ${p.number(f.visible)} plats de la carte qu'on peut ouvrir${names}.`;
  },
  busiest_hour: (f, p) =>
    `L'heure la plus fréquentée va de ${frenchHour(f.hour)} à ${frenchHour(f.hour + 1)} : ${p.percent(f.share)} des visiteurs.`,
  busiest_weekday: (f, p) =>
    `Le jour le plus fréquenté est le ${p.weekday(f.weekday)} : ${p.count(f.average, 'visiteur', 'visiteurs')} en moyenne, contre ${p.number(f.overall_average)} un jour quelconque.`,
  missing_translations: (f, p) =>
    `Les lecteurs en ${p.language(f.locale)} ont ouvert ${p.number(f.views)} fois ${f.items === 1 ? 'un plat non traduit' : `des plats non traduits (${p.number(f.items)})`}${p.names(f.examples, f.items, ', dont ', ' : ')}.`,
  narrow_allergen: (f, p) =>
    `Le filtre « ${f.name} » a servi ${p.number(f.uses)} fois et ne laisse ${frenchDishes(f.remaining_dishes, p)} sur ${p.number(f.visible_dishes)}.`,
};

/** How many dishes are left, after a verb that is denied. */
function frenchDishes(count: number, p: LocaleFormat): string {
  if (count === 0) return 'aucun plat';
  return count === 1 ? "qu'un plat" : `que ${p.number(count)} plats`;
}

const de: Texts = {
  visitors: (f, p) =>
    `Es ${p.form(f.visitors, 'kam', 'kamen')} ${p.number(f.visitors)} Besucher, im Zeitraum davor ${p.number(f.previous_visitors)}${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `„${f.name}“ steigt: ${p.number(f.views)}-mal geöffnet, im Zeitraum davor ${p.number(f.previous_views)}-mal${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `„${f.name}“ fällt: ${p.number(f.views)}-mal geöffnet, im Zeitraum davor ${p.number(f.previous_views)}-mal${p.signed(f.change)}.`,
  never_viewed: (f, p) => {
    const names = p.names(f.examples, f.count, ', darunter ', ': ');
    if (f.visible === 1)
      return `Das einzige Gericht der Karte, das sich öffnen lässt, hat niemand geöffnet${names}.`;
    const count = f.count === 1 ? 'Eines' : p.number(f.count);
    return `${count} von ${p.number(f.visible)} Gerichten der Karte, die sich öffnen lassen, hat niemand geöffnet${names}.`;
  },
  busiest_hour: (f, p) =>
    `Die meisten Besucher kommen zwischen ${f.hour} und ${f.hour + 1} Uhr: ${p.percent(f.share)} aller.`,
  busiest_weekday: (f, p) =>
    `Die meisten Besucher kommen am ${p.weekday(f.weekday)}: im Mittel ${p.number(f.average)}, an einem beliebigen Tag ${p.number(f.overall_average)}.`,
  missing_translations: (f, p) =>
    `Wer auf ${p.language(f.locale)} liest, hat ${p.number(f.views)}-mal ${f.items === 1 ? 'ein Gericht ohne Übersetzung' : `Gerichte ohne Übersetzung (${p.number(f.items)})`} geöffnet${p.names(f.examples, f.items, ', darunter ', ': ')}.`,
  narrow_allergen: (f, p) =>
    `Der Filter „${f.name}“ wurde ${p.number(f.uses)}-mal benutzt und lässt ${f.remaining_dishes === 0 ? 'keines' : `nur ${p.number(f.remaining_dishes)}`} von ${p.count(f.visible_dishes, 'Gericht', 'Gerichten')} übrig.`,
};

function spanishHour(hour: number): string {
  if (hour % 24 === 0) return 'medianoche';
  return hour === 1 ? 'la 1' : `las ${hour}`;
}

const es: Texts = {
  visitors: (f, p) =>
    `Hubo ${p.count(f.visitors, 'visitante', 'visitantes')}, frente a ${p.number(f.previous_visitors)} en el período anterior${p.signed(f.change)}.`,
  rising_item: (f, p) =>
    `«${f.name}» sube: abierto ${p.count(f.views, 'vez', 'veces')}, ${p.number(f.previous_views)} en el período anterior${p.signed(f.change)}.`,
  falling_item: (f, p) =>
    `«${f.name}» baja: abierto ${p.count(f.views, 'vez', 'veces')}, ${p.number(f.previous_views)} en el período anterior${p.signed(f.change)}.`,
  never_viewed: (f, p) => {
    const names = p.names(f.examples, f.count, ', entre ellos ', ': ');
    if (f.visible === 1)
      return `Nadie ha abierto el único plato de la carta que se puede abrir${names}.`;
    if (f.count === 1) {
      return `De los ${p.number(f.visible)} platos de la carta que se pueden abrir, uno no lo ha abierto nadie${names}.`;
    }
    return `Nadie ha abierto ${p.number(f.count)} de los ${p.number(f.visible)} platos de la carta que se pueden abrir${names}.`;
  },
  busiest_hour: (f, p) =>
    `La hora con más visitantes va de ${spanishHour(f.hour)} a ${spanishHour(f.hour + 1)}: ${p.percent(f.share)} del total.`,
  busiest_weekday: (f, p) =>
    `El día con más visitantes es el ${p.weekday(f.weekday)}: ${p.number(f.average)} de media, frente a ${p.number(f.overall_average)} en un día cualquiera.`,
  missing_translations: (f, p) =>
    `Quienes leen en ${p.language(f.locale)} han abierto ${p.count(f.views, 'vez', 'veces')} ${f.items === 1 ? 'un plato sin traducir' : `platos sin traducir (${p.number(f.items)})`}${p.names(f.examples, f.items, ', entre ellos ', ': ')}.`,
  narrow_allergen: (f, p) =>
    `El filtro «${f.name}» se ha usado ${p.count(f.uses, 'vez', 'veces')} y ${f.remaining_dishes === 0 ? 'no deja ningún plato' : `deja solo ${p.count(f.remaining_dishes, 'plato', 'platos')}`} de ${p.number(f.visible_dishes)}.`,
};

const TEXTS: Record<Locale, Texts> = { it, en, fr, de, es };

/** A finding in plain words of the restaurant's own language. */
export function sayFinding(figures: Figures, locale: Locale): string {
  const text = TEXTS[locale][figures.kind] as (figures: Figures, format: LocaleFormat) => string;
  return text(figures, localeFormat(locale));
}
