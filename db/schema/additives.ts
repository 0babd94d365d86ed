import { defineDictionary } from './dictionary.ts';
import { labels } from './field.ts';

/** The additives that menus in Germany and the EU name; keys never change. */
export const additives = defineDictionary({
  colouring: labels(
    'Con coloranti',
    'With colouring',
    'Avec colorant',
    'Mit Farbstoff',
    'Con colorante',
  ),
  preservative: labels(
    'Con conservanti',
    'With preservative',
    'Avec conservateur',
    'Mit Konservierungsstoff',
    'Con conservante',
  ),
  antioxidant: labels(
    'Con antiossidanti',
    'With antioxidant',
    'Avec antioxydant',
    'Mit Antioxidationsmittel',
    'Con antioxidante',
  ),
  flavour_enhancer: labels(
    'Con esaltatori di sapidità',
    'With flavour enhancer',
    'Avec exhausteur de goût',
    'Mit Geschmacksverstärker',
    'Con potenciador del sabor',
  ),
  sulphured: labels('Solforato', 'Sulphured', 'Soufré', 'Geschwefelt', 'Sulfitado'),
  blackened: labels('Annerito', 'Blackened', 'Noirci', 'Geschwärzt', 'Ennegrecido'),
  waxed: labels('Con cera', 'Waxed', 'Ciré', 'Gewachst', 'Encerado'),
  phosphate: labels(
    'Con fosfati',
    'With phosphate',
    'Avec phosphate',
    'Mit Phosphat',
    'Con fosfato',
  ),
  sweetener: labels(
    'Con edulcoranti',
    'With sweetener',
    'Avec édulcorant',
    'Mit Süßungsmittel',
    'Con edulcorante',
  ),
  phenylalanine_source: labels(
    'Contiene una fonte di fenilalanina',
    'Contains a source of phenylalanine',
    'Contient une source de phénylalanine',
    'Enthält eine Phenylalaninquelle',
    'Contiene una fuente de fenilalanina',
  ),
  quinine: labels('Con chinino', 'With quinine', 'Avec quinine', 'Chininhaltig', 'Con quinina'),
  caffeine: labels('Con caffeina', 'With caffeine', 'Avec caféine', 'Koffeinhaltig', 'Con cafeína'),
  taurine: labels('Con taurina', 'With taurine', 'Avec taurine', 'Taurinhaltig', 'Con taurina'),
});
