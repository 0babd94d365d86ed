import type { Collection } from '../../db/schema/registry.ts';

/** A body that creates a record of each collection. */
export const newRecords: Record<Collection, () => Record<string, unknown>> = {
  categories: () => ({
    name: { it: 'Dolci', de: 'Süßes' },
    time_start: '12:00',
    time_end: '15:00',
  }),
  items: () => ({ category_id: 1, name: { it: 'Tiramisù' }, price: '5.50', allergens: ['uova'] }),
  types: () => ({ category_id: 1, name: { it: 'Misti' } }),
  wineries: () => ({
    name: 'Skerk',
    website: 'https://skerk.example',
    description: { it: 'Nel Carso', de: 'Im Karst' },
  }),
};
