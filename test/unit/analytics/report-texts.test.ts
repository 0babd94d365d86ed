// The insights' sentences where a language changes its words: beside none, one and more of a thing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PanelLanguage } from '../../../db/texts/catalogues.ts';
import { sayFinding } from '../../../gateway/analytics/reports/insights.ts';
import type { Figures } from '../../../gateway/analytics/reports/report-schemas.ts';

const dish = { id: 1, name: 'Gricia', views: 1 };
const visitors = (now: number, previous_visitors: number): Figures => ({
  ...{ kind: 'visitors', visitors: now, previous_visitors },
  change: ((now - previous_visitors) / previous_visitors) * 100,
});
const rising = (views: number): Figures => ({
  ...{ kind: 'rising_item', item_id: 1, name: 'Gricia' },
  ...{ views, previous_views: 0, change: null },
});
const neverViewed = (count: number, visible: number): Figures => {
  const examples = Array.from({ length: Math.min(count, 5) }, () => dish);
  return { kind: 'never_viewed', count, visible, examples };
};
const hour = (at: number): Figures => {
  return { kind: 'busiest_hour', hour: at, visitors: 60, share: 0.4 };
};
const saturday = (average: number): Figures => {
  return { kind: 'busiest_weekday', weekday: 6, average, overall_average: 0.5 };
};
const untranslated = (items: number, views: number): Figures => {
  const examples = Array.from({ length: Math.min(items, 5) }, () => dish);
  return { kind: 'missing_translations', locale: 'de', items, views, examples };
};
const narrow = (uses: number, remaining_dishes: number, visible_dishes: number): Figures => {
  const counts = { uses, remaining_dishes, visible_dishes };
  return { kind: 'narrow_allergen', allergen: 'latte', name: 'Latte', ...counts };
};

type Sentences = [figures: Figures, part: string][];

/** A new language needs no sentences here: `catalogues.test.ts` compares its texts. */
const SENTENCES: Partial<Record<PanelLanguage, Sentences>> = {
  it: [
    [visitors(0, 2), 'I visitatori sono 0, erano 2 nel periodo precedente (-100%).'],
    [visitors(1, 2), "C'è stato un solo visitatore, erano 2 nel periodo precedente (-50%)."],
    [visitors(2, 1), 'I visitatori sono 2, era uno solo nel periodo precedente (+100%).'],
    [rising(1), 'aperto 1 volta, 0 nel'],
    [rising(20), 'aperto 20 volte, 0 nel'],
    [{ ...rising(1), kind: 'falling_item' } as Figures, 'piace di meno: aperto 1 volta, 0 nel'],
    [neverViewed(1, 1), "Nessuno ha aperto l'unico piatto del menù: Gricia."],
    [neverViewed(1, 9), 'Dei 9 piatti del menù uno non è stato aperto da nessuno: '],
    [neverViewed(2, 9), 'Nessuno ha aperto 2 dei 9 piatti del menù: Gricia e Gricia.'],
    [neverViewed(6, 9), 'Nessuno ha aperto 6 dei 9 piatti del menù, tra cui Gricia, '],
    [hour(0), "è tra mezzanotte e l'una: 40%"],
    [hour(1), "è tra l'una e le 2: 40%"],
    [hour(20), 'è tra le 20 e le 21: 40%'],
    [hour(23), 'è tra le 23 e mezzanotte: 40%'],
    [saturday(1), 'è sabato: in media 1, contro 0,5'],
    [untranslated(1, 1), 'ha aperto 1 volta un piatto non tradotto: Gricia.'],
    [untranslated(2, 3), 'ha aperto 3 volte piatti non tradotti (2): Gricia e Gricia.'],
    [untranslated(6, 9), 'ha aperto 9 volte piatti non tradotti (6), tra cui Gricia, '],
    [narrow(1, 0, 9), 'usato 1 volta e non lascia nessun piatto su 9.'],
    [narrow(2, 1, 9), 'usato 2 volte e lascia solo 1 piatto su 9.'],
    [narrow(2, 2, 9), 'e lascia solo 2 piatti su 9.'],
  ],
  en: [
    [visitors(0, 2), 'There were 0 visitors, 2 in the period before (-100%).'],
    [visitors(1, 2), 'There was 1 visitor, 2 in the period before (-50%).'],
    [visitors(2, 1), 'There were 2 visitors, 1 in'],
    [rising(1), 'opened 1 time, 0 in'],
    [{ ...rising(1), kind: 'falling_item' } as Figures, 'falling: opened 1 time, 0 in'],
    [neverViewed(1, 1), "The menu's only dish was never opened: Gricia."],
    [neverViewed(1, 9), "One of the menu's 9 dishes was never opened: "],
    [neverViewed(6, 9), "6 of the menu's 9 dishes were never opened, among them Gricia, "],
    [hour(0), 'is from midnight to 1:00, with'],
    [hour(23), 'is from 23:00 to midnight, with'],
    [saturday(1), 'is Saturday: 1 visitor on average, against 0.5'],
    [saturday(1.5), 'is Saturday: 1.5 visitors on average'],
    [untranslated(1, 1), 'opened a dish that is not translated for them 1 time: Gricia.'],
    [untranslated(2, 3), 'dishes that are not translated for them (2) 3 times: Gricia and Gricia.'],
    [narrow(1, 0, 1), 'was used 1 time and leaves no dish out of 1 dish.'],
    [narrow(2, 1, 9), 'was used 2 times and leaves only 1 of 9 dishes.'],
  ],
  fr: [
    [visitors(0, 2), 'Il y a eu 0 visiteur, contre 2 la période précédente (-100 %).'],
    [visitors(1, 2), 'Il y a eu 1 visiteur, contre 2'],
    [visitors(2, 1), 'Il y a eu 2 visiteurs, contre 1'],
    [rising(1), 'ouvert 1 fois, 0 la'],
    [neverViewed(1, 1), "Personne n'a ouvert le seul plat de la carte : Gricia."],
    [neverViewed(1, 9), "Sur les 9 plats de la carte, un n'a été ouvert par personne : "],
    [neverViewed(6, 9), "Personne n'a ouvert 6 des 9 plats de la carte, dont Gricia, "],
    [hour(0), 'va de minuit à 1 h : 40 %'],
    [hour(23), 'va de 23 h à minuit : 40 %'],
    [saturday(1.5), 'est le samedi : 1,5 visiteur en moyenne, contre 0,5'],
    [saturday(2), 'est le samedi : 2 visiteurs en moyenne'],
    [untranslated(1, 1), 'ont ouvert 1 fois un plat non traduit : Gricia.'],
    [untranslated(2, 3), 'ont ouvert 3 fois des plats non traduits (2) : Gricia et Gricia.'],
    [narrow(1, 0, 9), 'a servi 1 fois et ne laisse aucun plat sur 9.'],
    [narrow(1, 1, 9), "et ne laisse qu'un plat sur 9."],
    [narrow(1, 2, 9), 'et ne laisse que 2 plats sur 9.'],
  ],
  de: [
    [visitors(0, 2), 'Es kamen 0 Besucher, im Zeitraum davor 2 (-100 %).'],
    [visitors(1, 2), 'Es kam 1 Besucher, im Zeitraum davor 2 (-50 %).'],
    [visitors(2, 1), 'Es kamen 2 Besucher, im Zeitraum davor 1'],
    [rising(1), '1-mal geöffnet, im Zeitraum davor 0-mal'],
    [neverViewed(1, 1), 'Das einzige Gericht der Karte hat niemand geöffnet: Gricia.'],
    [neverViewed(1, 9), 'Eines von 9 Gerichten der Karte hat niemand geöffnet: Gricia.'],
    [neverViewed(6, 9), '6 von 9 Gerichten der Karte hat niemand geöffnet, darunter Gricia, '],
    [hour(0), 'zwischen 0 und 1 Uhr'],
    [hour(23), 'zwischen 23 und 24 Uhr'],
    [untranslated(1, 1), 'hat 1-mal ein Gericht ohne Übersetzung geöffnet: Gricia.'],
    [untranslated(2, 3), 'hat 3-mal Gerichte ohne Übersetzung (2) geöffnet: Gricia und Gricia.'],
    [narrow(1, 0, 1), '1-mal benutzt und lässt keines von 1 Gericht übrig.'],
    [narrow(2, 1, 9), '2-mal benutzt und lässt nur 1 von 9 Gerichten übrig.'],
  ],
  es: [
    [visitors(0, 2), 'Hubo 0 visitantes, frente a 2 en el periodo anterior (-100 %).'],
    [visitors(1, 2), 'Hubo 1 visitante, frente a 2'],
    [visitors(2, 1), 'Hubo 2 visitantes, frente a 1'],
    [rising(1), 'abierto 1 vez, 0 en'],
    [{ ...rising(1), kind: 'falling_item' } as Figures, 'baja: abierto 1 vez, 0 en'],
    [neverViewed(1, 1), 'Nadie ha abierto el único plato de la carta: Gricia.'],
    [neverViewed(1, 9), 'De los 9 platos de la carta, uno no lo ha abierto nadie: '],
    [neverViewed(6, 9), 'Nadie ha abierto 6 de los 9 platos de la carta, entre ellos Gricia, '],
    [hour(0), 'va de medianoche a la 1: 40 %'],
    [hour(1), 'va de la 1 a las 2: 40 %'],
    [hour(23), 'va de las 23 a medianoche: 40 %'],
    [saturday(1), 'es el sábado: 1 de media, frente a 0,5'],
    [untranslated(1, 1), 'han abierto 1 vez un plato sin traducir: Gricia.'],
    [untranslated(2, 3), 'han abierto 3 veces platos sin traducir (2): Gricia y Gricia.'],
    [narrow(1, 0, 9), 'usado 1 vez y no deja ningún plato de 9.'],
    [narrow(2, 1, 9), 'usado 2 veces y deja solo 1 plato de 9.'],
    [narrow(2, 2, 9), 'y deja solo 2 platos de 9.'],
  ],
};

for (const [locale, sentences] of Object.entries(SENTENCES)) {
  test(`insights count as people do who speak ${locale}`, () => {
    for (const [figures, part] of sentences) {
      const text = sayFinding(figures, locale as PanelLanguage).replace(/\s/gu, ' ');
      assert.ok(text.includes(part), `${text} lacks ${part}`);
    }
  });
}
