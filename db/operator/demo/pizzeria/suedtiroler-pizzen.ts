import type { DemoSection } from '../restaurant.ts';

export const suedtirolerPizzen: DemoSection = {
  name: { de: 'Pizzen aus den Bergen', it: 'Pizze di montagna' },
  menu_type: 'standard',
  notes: 'Speck, Käse und Äpfel kommen von Höfen im Umkreis von 20 Kilometern.',
  types: [],
  dishes: [
    {
      name: { de: 'Vinschger', it: 'Venostana' },
      description: {
        de: 'Boden mit Roggenmehl und Brotklee, Fiordilatte, Speck g.g.A. und frischer Kren.',
        it: 'Base con farina di segale e trigonella, fiordilatte, speck IGP e cren fresco.',
      },
      price: 12.9,
      allergens: ['cereali_glutine', 'latte', 'solfiti'],
      is_recommended: true,
    },
    {
      name: { de: 'Latemar', it: 'Latemar' },
      description: {
        de: 'Steinpilze, Stilfser Käse, Thymian und nach dem Backen hauchdünner Hirschschinken.',
        it: 'Porcini, formaggio Stelvio, timo e, a fine cottura, prosciutto di cervo a velo.',
      },
      price: 15.5,
      allergens: ['cereali_glutine', 'latte'],
      is_recommended: true,
    },
    {
      name: { de: 'Almauftrieb', it: 'Salita in malga' },
      description: {
        de: 'Almkäse, Kartoffelscheiben, Rosmarin und knuspriger Bauchspeck, ohne Tomatensauce.',
        it: 'Formaggio di malga, fettine di patata, rosmarino e pancetta croccante, senza pomodoro.',
      },
      price: 12.5,
      allergens: ['cereali_glutine', 'latte'],
    },
    {
      name: { de: 'Apfel und Gorgonzola', it: 'Mela e gorgonzola' },
      description: {
        de: 'Dünne Spalten vom Kalterer Apfel, cremiger Gorgonzola, Walnüsse und ein Hauch Honig.',
        it: 'Fettine di mela di Caldaro, gorgonzola cremoso, noci e un velo di miele.',
      },
      price: 12.2,
      allergens: ['cereali_glutine', 'latte', 'frutta_guscio'],
    },
    {
      name: { de: 'Forelle und Kren', it: 'Trota e cren' },
      description: {
        de: 'Sauerrahm, geräucherte Forelle aus dem Passeiertal, Dill, rote Zwiebeln und Kren.',
        it: 'Panna acida, trota affumicata della Val Passiria, aneto, cipolla rossa e cren.',
      },
      price: 14.2,
      allergens: ['cereali_glutine', 'latte', 'pesce', 'solfiti'],
    },
    {
      name: { de: 'Spargelpizza', it: 'Pizza agli asparagi' },
      description: {
        de: 'Nur im Frühling: weißer Spargel aus Terlan, gekochter Schinken und Bozner Sauce.',
        it: 'Solo in primavera: asparagi bianchi di Terlano, prosciutto cotto e salsa bolzanina.',
      },
      price: 13.9,
      allergens: ['cereali_glutine', 'latte', 'uova', 'senape'],
      is_active: false,
    },
  ],
  children: [],
};
