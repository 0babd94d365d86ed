import type { DemoSection } from '../restaurant.ts';
import { untranslated } from '../untranslated.ts';

export const risottiEZuppe: DemoSection = {
  name: {
    it: 'Risotti e zuppe',
    en: 'Risottos and soups',
    fr: 'Risottos et soupes',
    de: 'Risotti und Suppen',
    es: 'Risottos y sopas',
  },
  menu_type: 'standard',
  notes: 'I risotti si servono per almeno due persone; il prezzo è a porzione.',
  types: [],
  dishes: [
    {
      name: {
        it: 'Risotto ai carciofi e mentuccia',
        en: 'Artichoke and wild mint risotto',
        fr: 'Risotto aux artichauts et à la menthe sauvage',
        de: 'Risotto mit Artischocken und wilder Minze',
        es: 'Risotto de alcachofas y menta silvestre',
      },
      description: {
        it: 'Carnaroli, carciofi romaneschi stufati, mentuccia fresca e pecorino dolce.',
        en: 'Carnaroli rice, braised Roman artichokes, fresh wild mint and mild pecorino.',
        fr: 'Riz carnaroli, artichauts romains braisés, menthe sauvage fraîche et pecorino doux.',
        de: 'Carnaroli-Reis, geschmorte römische Artischocken, frische wilde Minze und milder Pecorino.',
        es: 'Arroz carnaroli, alcachofas romanas estofadas, menta silvestre fresca y pecorino suave.',
      },
      price: 14,
      allergens: ['latte', 'sedano', 'solfiti'],
    },
    {
      name: {
        it: 'Risotto alla pescatora',
        en: "Fisherman's risotto",
        fr: 'Risotto du pêcheur',
        de: 'Risotto nach Fischerart',
        es: 'Risotto del pescador',
      },
      description: {
        it: 'Vongole, cozze, calamari e gamberi, bagnati con il loro brodo e un filo di pomodoro.',
        en: 'Clams, mussels, squid and prawns, cooked in their own broth with a touch of tomato.',
        fr: 'Palourdes, moules, calamars et crevettes, mouillés de leur bouillon, avec une pointe de tomate.',
        de: 'Venusmuscheln, Miesmuscheln, Kalmare und Garnelen im eigenen Sud, mit einem Hauch Tomate.',
        es: 'Almejas, mejillones, calamares y gambas en su propio caldo, con un toque de tomate.',
      },
      price: 17.5,
      allergens: ['crostacei', 'pesce', 'molluschi', 'sedano', 'solfiti'],
    },
    {
      name: untranslated('Stracciatella alla romana'),
      description: {
        it: 'Brodo di gallina bollente, uovo sbattuto a filo, parmigiano, noce moscata e limone.',
        en: 'Piping-hot hen broth with ribbons of beaten egg, parmesan, nutmeg and lemon.',
        fr: "Bouillon de poule brûlant, filaments d'œuf battu, parmesan, muscade et citron.",
        de: 'Heiße Hühnerbrühe mit feinen Fäden aus verquirltem Ei, Parmesan, Muskat und Zitrone.',
        es: 'Caldo de gallina bien caliente con hilos de huevo batido, parmesano, nuez moscada y limón.',
      },
      price: 9.5,
      allergens: ['uova', 'latte', 'sedano'],
    },
    {
      name: {
        it: 'Pasta e ceci',
        en: 'Pasta and chickpea soup',
        fr: 'Soupe de pâtes et pois chiches',
        de: 'Pasta mit Kichererbsen',
        es: 'Sopa de pasta y garbanzos',
      },
      description: {
        it: "Minestra densa del venerdì, con rosmarino, un'alice sciolta e olio a crudo.",
        en: 'A thick Friday soup with rosemary, a melted anchovy and a thread of raw olive oil.',
        fr: "La soupe épaisse du vendredi : romarin, anchois fondu et un filet d'huile d'olive crue.",
        de: 'Die dicke Freitagssuppe mit Rosmarin, zerlassener Sardelle und einem Faden rohem Olivenöl.',
        es: 'La sopa espesa de los viernes, con romero, una anchoa deshecha y aceite en crudo.',
      },
      price: 10,
      allergens: ['cereali_glutine', 'pesce'],
    },
    {
      name: {
        it: 'Minestra di broccoli e arzilla',
        en: 'Broccoli and skate soup',
        fr: 'Soupe de brocoli romanesco et raie',
        de: 'Suppe von Romanesco und Rochen',
        es: 'Sopa de romanesco y raya',
      },
      description: {
        it: 'Brodo di razza, broccolo romanesco e spaghetti spezzati: la vigilia nei vicoli di Roma.',
        en: 'Skate broth, romanesco and broken spaghetti: Christmas Eve in the alleys of Rome.',
        fr: 'Bouillon de raie, chou romanesco et spaghettis brisés : le réveillon dans les ruelles de Rome.',
        de: 'Rochenbrühe, Romanesco und gebrochene Spaghetti: der Heiligabend in den Gassen von Rom.',
        es: 'Caldo de raya, romanesco y espaguetis partidos: la Nochebuena en los callejones de Roma.',
      },
      price: 12.5,
      allergens: ['cereali_glutine', 'pesce', 'sedano', 'solfiti'],
    },
  ],
  children: [],
};
