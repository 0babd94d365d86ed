import type { DemoSection } from '../restaurant.ts';

/** Written each morning, so only in Italian and English: other languages show the fallback. */
export const fuoriCarta: DemoSection = {
  name: { it: 'Fuori carta', en: "Today's specials" },
  menu_type: 'standard',
  notes: 'Fino a esaurimento: chiedete al banco.',
  types: [],
  dishes: [
    {
      name: { it: 'Tartare di manzo alla senape', en: 'Beef tartare with mustard' },
      description: {
        it: 'Filetto battuto al coltello, senape in grani, capperi di Pantelleria e tuorlo marinato.',
        en: 'Hand-chopped beef fillet, wholegrain mustard, Pantelleria capers and a cured egg yolk.',
      },
      price: 16,
      allergens: ['uova', 'senape', 'solfiti'],
    },
    {
      name: { it: 'Mazzancolle e bietola', en: 'King prawns and Swiss chard' },
      description: {
        it: 'Mazzancolle di Fiumicino scottate, bietola saltata e una bisque leggera delle loro teste.',
        en: 'Seared Fiumicino king prawns, sautéed Swiss chard and a light bisque from their heads.',
      },
      price: 19.5,
      allergens: ['crostacei', 'sedano', 'solfiti'],
      is_recommended: true,
    },
    {
      name: { it: 'Pecorino alla brace', en: 'Grilled pecorino' },
      description: {
        it: 'Primo sale della Tuscia in foglia di limone, con confettura di cipolle rosse.',
        en: 'Young Tuscia pecorino grilled in a lemon leaf, with red onion preserve.',
      },
      price: 10,
      allergens: ['latte', 'solfiti'],
    },
    {
      name: { it: 'Panzanella di nonna Iole' },
      description: {
        it: 'Pane raffermo bagnato e strizzato, pomodori maturi, cipolla, basilico e molto olio buono.',
      },
      price: 8,
      allergens: ['cereali_glutine', 'solfiti'],
    },
  ],
  children: [],
};
