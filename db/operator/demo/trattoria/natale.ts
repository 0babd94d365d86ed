import type { DemoSection } from '../restaurant.ts';

/** Off for most of the year: its dishes are active, so only the section hides them. */
export const natale: DemoSection = {
  name: {
    it: 'Menù di Natale',
    en: 'Christmas menu',
    fr: 'Menu de Noël',
    de: 'Weihnachtskarte',
    es: 'Menú de Navidad',
  },
  menu_type: 'standard',
  notes: 'Il 24 e il 25 dicembre, solo su prenotazione.',
  is_active: false,
  types: [],
  dishes: [
    {
      name: {
        it: 'Cappelletti in brodo di cappone',
        en: 'Cappelletti in capon broth',
        fr: 'Cappelletti au bouillon de chapon',
        de: 'Cappelletti in Kapaunbrühe',
        es: 'Cappelletti en caldo de capón',
      },
      description: {
        it: 'Pasta ripiena di carni miste, chiusa a mano, nel brodo limpido del giorno di festa.',
        en: 'Hand-folded pasta filled with mixed meats, in the clear broth of a feast day.',
        fr: 'Pâtes pliées à la main, farcies de viandes, dans le bouillon limpide des jours de fête.',
        de: 'Von Hand gefaltete Teigtaschen mit Fleischfüllung in der klaren Brühe eines Festtags.',
        es: 'Pasta plegada a mano, rellena de carnes, en el caldo claro de los días de fiesta.',
      },
      price: 15.5,
      allergens: ['cereali_glutine', 'uova', 'latte', 'sedano'],
    },
    {
      name: {
        it: 'Capitone alla griglia',
        en: 'Grilled eel',
        fr: 'Anguille grillée',
        de: 'Gegrillter Aal',
        es: 'Anguila a la parrilla',
      },
      description: {
        it: 'Il piatto della vigilia: anguilla in tranci, alloro, aceto e brace lenta.',
        en: 'The dish of Christmas Eve: thick slices of eel, bay leaf, vinegar and slow embers.',
        fr: "Le plat du réveillon : tronçons d'anguille, laurier, vinaigre et braise douce.",
        de: 'Das Gericht des Heiligabends: Aalstücke mit Lorbeer und Essig über milder Glut.',
        es: 'El plato de Nochebuena: trozos de anguila, laurel, vinagre y brasa lenta.',
      },
      price: 21,
      allergens: ['pesce', 'solfiti'],
    },
    {
      name: {
        it: 'Pangiallo romano',
        en: 'Pangiallo, the Roman Christmas cake',
        fr: 'Pangiallo, gâteau de Noël romain',
        de: 'Pangiallo, römisches Weihnachtsbrot',
        es: 'Pangiallo, dulce navideño romano',
      },
      description: {
        it: 'Frutta secca, canditi e miele sotto una glassa dorata allo zafferano, come ai tempi dei Cesari.',
        en: 'Nuts, candied fruit and honey under a golden saffron glaze, as in the days of the Caesars.',
        fr: 'Fruits secs, fruits confits et miel sous un glaçage doré au safran, comme au temps des Césars.',
        de: 'Nüsse, kandierte Früchte und Honig unter goldener Safranglasur, wie zur Zeit der Cäsaren.',
        es: 'Frutos secos, fruta confitada y miel bajo un glaseado de azafrán, como en tiempos de los césares.',
      },
      price: 7,
      allergens: ['cereali_glutine', 'frutta_guscio', 'solfiti'],
    },
  ],
  children: [],
};
