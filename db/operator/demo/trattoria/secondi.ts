import type { DemoSection } from '../restaurant.ts';
import { carne } from './carne.ts';
import { pesce } from './pesce.ts';

export const secondi: DemoSection = {
  name: {
    it: 'Secondi piatti',
    en: 'Main courses',
    fr: 'Plats principaux',
    de: 'Hauptgerichte',
    es: 'Segundos platos',
  },
  menu_type: 'standard',
  notes: 'I contorni si ordinano a parte.',
  show_subcategories: true,
  types: [],
  dishes: [],
  children: [carne, pesce],
};
