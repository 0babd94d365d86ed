import type { DemoSection } from '../restaurant.ts';

export const viniAlCalice: DemoSection = {
  name: {
    it: 'Vini della casa',
    en: 'House wines',
    fr: 'Vins de la maison',
    de: 'Hausweine',
    es: 'Vinos de la casa',
  },
  menu_type: 'wine',
  notes: 'Calice da 15 cl, caraffa da mezzo litro.',
  show_subcategories: true,
  types: [
    {
      name: {
        it: 'Al calice',
        en: 'By the glass',
        fr: 'Au verre',
        de: 'Glasweise',
        es: 'Por copas',
      },
    },
    {
      name: {
        it: 'In caraffa',
        en: 'By the carafe',
        fr: 'En carafe',
        de: 'In der Karaffe',
        es: 'En jarra',
      },
    },
  ],
  dishes: [
    {
      name: {
        it: 'Bianco dei Castelli',
        en: 'Castelli white',
        fr: 'Blanc des Castelli',
        de: 'Weißer aus den Castelli',
        es: 'Blanco de los Castelli',
      },
      description: {
        it: 'Malvasia e Trebbiano, secco e beverino, con un ricordo di mandorla fresca.',
        en: 'Malvasia and Trebbiano, dry and easy to drink, with an echo of fresh almond.',
        fr: "Malvasia et Trebbiano, sec et facile à boire, avec un souvenir d'amande fraîche.",
        de: 'Malvasia und Trebbiano, trocken und süffig, mit einem Anklang von frischer Mandel.',
        es: 'Malvasía y Trebbiano, seco y fácil de beber, con un recuerdo de almendra fresca.',
      },
      price: 4.5,
      allergens: ['solfiti'],
      type: 'Al calice',
      winery: "Cantina Colle Sant'Anna",
    },
    {
      name: {
        it: 'Rosso di Olevano',
        en: 'Olevano red',
        fr: "Rouge d'Olevano",
        de: 'Roter aus Olevano',
        es: 'Tinto de Olevano',
      },
      description: {
        it: 'Cesanese giovane, servito fresco: ciliegia, pepe e nessuna pretesa, buono con tutto.',
        en: 'Young Cesanese, served cool: cherry, pepper and no pretensions, good with everything.',
        fr: 'Cesanese jeune, servi frais : cerise, poivre et sans prétention, bon avec tout.',
        de: 'Junger Cesanese, leicht gekühlt: Kirsche, Pfeffer und keine Allüren, passt zu allem.',
        es: 'Cesanese joven, servido fresco: cereza, pimienta y sin pretensiones, bueno con todo.',
      },
      price: 5,
      allergens: ['solfiti'],
      type: 'Al calice',
      winery: 'Tenuta Monte Olivello',
      is_recommended: true,
    },
    {
      name: {
        it: 'Mezzo litro di bianco sfuso',
        en: 'Half-litre carafe of white',
        fr: 'Demi-litre de blanc en carafe',
        de: 'Halber Liter offener Weißwein',
        es: 'Media jarra de blanco',
      },
      description: {
        it: 'La fojetta delle osterie: bianco dei Castelli spillato dalla botte, fresco di cantina.',
        en: 'The fojetta of the old taverns: Castelli white drawn from the cask, cellar cool.',
        fr: 'La fojetta des vieilles tavernes : blanc des Castelli tiré au tonneau, à la fraîcheur de la cave.',
        de: 'Die Fojetta der alten Schenken: Weißer aus den Castelli, vom Fass gezapft und kellerkühl.',
        es: 'La fojetta de las tabernas: blanco de los Castelli sacado del tonel, fresco de bodega.',
      },
      price: 7,
      allergens: ['solfiti'],
      type: 'In caraffa',
      winery: "Cantina Colle Sant'Anna",
    },
  ],
  children: [],
};
