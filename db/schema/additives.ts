import { defineDictionary } from './dictionary.ts';

/** The additives that menus in Germany and the EU name; keys never change. */
export const additives = defineDictionary('additives', [
  'colouring',
  'preservative',
  'antioxidant',
  'flavour_enhancer',
  'sulphured',
  'blackened',
  'waxed',
  'phosphate',
  'sweetener',
  'phenylalanine_source',
  'quinine',
  'caffeine',
  'taurine',
]);
