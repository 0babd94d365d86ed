import { labels, type ShownOf, type StoredOf } from './field.ts';
import { externalId, nullableUrl, requiredText, text, translations } from './kinds.ts';
import { defineRecord } from './record.ts';

/** A producer of wines; the specification leaves its fields open. */
export const winery = defineRecord({
  resource: 'wineries',
  table: 'wineries',
  schema: 'Winery',
  one: 'a winery',
  label: labels('Cantina', 'Winery', 'Domaine viticole', 'Weingut', 'Bodega'),
  isOnMenu: true,
  fields: {
    external_id: externalId(),
    name: requiredText(200, {
      label: labels('Nome', 'Name', 'Nom', 'Name', 'Nombre'),
      description: 'Its name.',
    }),
    region: text(200, {
      label: labels('Regione', 'Region', 'Région', 'Region', 'Región'),
      description: 'The region of its vineyards.',
    }),
    country: text(200, {
      label: labels('Paese', 'Country', 'Pays', 'Land', 'País'),
      description: 'The country of its vineyards.',
    }),
    website: nullableUrl({
      label: labels('Sito web', 'Website', 'Site web', 'Website', 'Sitio web'),
      description: 'Its web site.',
    }),
    description: translations(2_000, {
      label: labels('Descrizione', 'Description', 'Description', 'Beschreibung', 'Descripción'),
      description: 'What guests read about it.',
    }),
  },
  example: { id: 3, name: 'Zidarich', region: 'Carso', description: { it: 'Vini del Carso.' } },
});
export type StoredWinery = StoredOf<typeof winery.fields>;
export type Winery = ShownOf<typeof winery.fields>;
