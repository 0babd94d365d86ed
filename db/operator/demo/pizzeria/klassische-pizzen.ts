import type { DemoSection } from '../restaurant.ts';

export const klassischePizzen: DemoSection = {
  name: { de: 'Klassische Pizzen', it: 'Pizze classiche' },
  menu_type: 'standard',
  notes: 'Teig mit Natursauerteig, 48 Stunden gereift. Glutenfreier Boden: Aufpreis 2,00 €.',
  show_subcategories: true,
  types: [
    { name: { de: 'Mit Tomatensauce', it: 'Rosse' } },
    { name: { de: 'Ohne Tomatensauce', it: 'Bianche' } },
  ],
  dishes: [
    {
      name: { de: 'Margherita', it: 'Margherita' },
      description: {
        de: 'Tomatensauce, Fiordilatte aus Sterzing, frisches Basilikum und ein Faden Olivenöl.',
        it: "Pomodoro, fiordilatte di Vipiteno, basilico fresco e un filo d'olio d'oliva.",
      },
      price: 8.9,
      allergens: ['cereali_glutine', 'latte'],
      type: 'Rosse',
    },
    {
      name: { de: 'Marinara', it: 'Marinara' },
      description: {
        de: 'Tomatensauce, Knoblauch, wilder Oregano und Olivenöl, ganz ohne Käse.',
        it: "Pomodoro, aglio, origano selvatico e olio d'oliva, del tutto senza formaggio.",
      },
      price: 7.5,
      allergens: ['cereali_glutine'],
      type: 'Rosse',
    },
    {
      name: { de: 'Diavola', it: 'Diavola' },
      description: {
        de: 'Tomatensauce, Fiordilatte, scharfe kalabrische Salami und eingelegte Peperoncini.',
        it: "Pomodoro, fiordilatte, salame piccante calabrese e peperoncini sott'olio.",
      },
      price: 10.9,
      allergens: ['cereali_glutine', 'latte'],
      type: 'Rosse',
    },
    {
      name: { de: 'Prosciutto e funghi', it: 'Prosciutto e funghi' },
      description: {
        de: 'Tomatensauce, Fiordilatte, gekochter Schinken und frische, dünn geschnittene Champignons.',
        it: 'Pomodoro, fiordilatte, prosciutto cotto e champignon freschi affettati sottili.',
      },
      price: 10.9,
      allergens: ['cereali_glutine', 'latte'],
      type: 'Rosse',
    },
    {
      name: { de: 'Thunfisch und Zwiebeln', it: 'Tonno e cipolla' },
      description: {
        de: 'Tomatensauce, Fiordilatte, Thunfischfilet in Olivenöl und süße rote Zwiebeln aus Tropea.',
        it: "Pomodoro, fiordilatte, filetto di tonno all'olio d'oliva e cipolla rossa di Tropea.",
      },
      price: 11.2,
      allergens: ['cereali_glutine', 'latte', 'pesce'],
      type: 'Rosse',
    },
    {
      name: { de: 'Meeresfrüchte', it: 'Frutti di mare' },
      description: {
        de: 'Tomatensauce, Miesmuscheln, Kalmare, Garnelen, Petersilie und Knoblauch, erst am Ende belegt.',
        it: 'Pomodoro, cozze, calamari, gamberi, prezzemolo e aglio, aggiunti a fine cottura.',
      },
      price: 14.9,
      allergens: ['cereali_glutine', 'crostacei', 'molluschi', 'solfiti'],
      type: 'Rosse',
      is_active: false,
    },
    {
      name: { de: 'Vier Käse', it: 'Quattro formaggi' },
      description: {
        de: 'Fiordilatte, Gorgonzola, Stilfser und Graukäse, mit etwas Akazienhonig serviert.',
        it: "Fiordilatte, gorgonzola, Stelvio e graukäse, servita con un po' di miele d'acacia.",
      },
      price: 11.9,
      allergens: ['cereali_glutine', 'latte'],
      type: 'Bianche',
    },
    {
      name: { de: 'Gartengemüse', it: 'Ortolana' },
      description: {
        de: 'Fiordilatte, gegrillte Zucchini, Auberginen und Paprika, Kirschtomaten und Rucola.',
        it: 'Fiordilatte, zucchine, melanzane e peperoni grigliati, pomodorini e rucola.',
      },
      price: 10.5,
      allergens: ['cereali_glutine', 'latte'],
      type: 'Bianche',
    },
  ],
  children: [],
};
