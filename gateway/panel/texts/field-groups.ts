import { labels } from '../../../db/schema/field.ts';

/** How the fields of a form are put together, by resource; those that are not named come last. */
export const FIELD_GROUPS: Record<
  string,
  { title: ReturnType<typeof labels>; fields: string[]; isFolded?: true }[]
> = {
  items: [
    {
      title: labels('Il piatto', 'The dish', 'Le plat', 'Das Gericht', 'El plato'),
      fields: ['name', 'description', 'category_id'],
    },
    {
      title: labels('Prezzo', 'Price', 'Prix', 'Preis', 'Precio'),
      fields: ['price', 'price_unit', 'price_on_request'],
    },
    {
      title: labels('Formati', 'Sizes', 'Formats', 'Größen', 'Tamaños'),
      fields: ['variants'],
      isFolded: true,
    },
    {
      title: labels('In sala', 'In the dining room', 'En salle', 'Im Lokal', 'En sala'),
      fields: ['sold_out_until', 'is_active', 'is_recommended'],
    },
    {
      title: labels('Allergeni', 'Allergens', 'Allergènes', 'Allergene', 'Alérgenos'),
      fields: ['allergens', 'traces'],
    },
    {
      title: labels(
        'Caratteristiche e additivi',
        'Labels and additives',
        'Mentions et additifs',
        'Merkmale und Zusatzstoffe',
        'Características y aditivos',
      ),
      fields: ['labels', 'additives'],
      isFolded: true,
    },
    { title: labels('Foto', 'Photo', 'Photo', 'Foto', 'Foto'), fields: ['photo_url', 'photo_alt'] },
    {
      title: labels('Vino', 'Wine', 'Vin', 'Wein', 'Vino'),
      fields: ['winery_id', 'vintage', 'grapes', 'denomination'],
      isFolded: true,
    },
  ],
  categories: [
    {
      title: labels('La sezione', 'The section', 'La section', 'Der Bereich', 'La sección'),
      fields: ['name', 'notes', 'parent_id', 'menu_type', 'is_active', 'show_subcategories'],
    },
    {
      title: labels(
        'Quando si vede',
        'When it is shown',
        'Quand elle est visible',
        'Wann er zu sehen ist',
        'Cuándo se ve',
      ),
      fields: [
        'weekdays',
        'date_start',
        'date_end',
        'time_visibility_enabled',
        'time_start',
        'time_end',
      ],
    },
  ],
  types: [
    {
      title: labels(
        'La tipologia',
        'The sub-category',
        'La sous-catégorie',
        'Die Unterkategorie',
        'La subcategoría',
      ),
      fields: ['name', 'category_id', 'is_active'],
    },
  ],
  wineries: [
    {
      title: labels('La cantina', 'The winery', 'Le domaine', 'Das Weingut', 'La bodega'),
      fields: ['name', 'region', 'country', 'website', 'description'],
    },
  ],
  settings: [
    {
      title: labels(
        'Il ristorante',
        'The restaurant',
        'Le restaurant',
        'Das Restaurant',
        'El restaurante',
      ),
      fields: ['name', 'address', 'phone', 'email', 'business_name', 'vat_number'],
    },
    {
      title: labels(
        'Lingue e valuta',
        'Languages and currency',
        'Langues et monnaie',
        'Sprachen und Währung',
        'Idiomas y moneda',
      ),
      fields: ['supported_locales', 'default_locale', 'currency', 'timezone'],
    },
    {
      title: labels(
        'Testi sul menù',
        'Texts on the menu',
        'Textes sur la carte',
        'Texte auf der Karte',
        'Textos en la carta',
      ),
      fields: ['cover_charge_text', 'allergen_info', 'recommended_label'],
    },
    {
      title: labels(
        'Immagini e indirizzi',
        'Pictures and addresses',
        'Images et adresses',
        'Bilder und Adressen',
        'Imágenes y direcciones',
      ),
      fields: ['logo_url', 'cover_image_url', 'review_url'],
      isFolded: true,
    },
  ],
  theme: [
    {
      title: labels('Colori', 'Colours', 'Couleurs', 'Farben', 'Colores'),
      fields: [
        'background_color',
        'text_color',
        'primary_color',
        'secondary_color',
        'accent_color',
      ],
    },
    {
      title: labels('Forma', 'Shape', 'Forme', 'Form', 'Forma'),
      fields: ['layout_variant', 'header_style', 'border_radius'],
    },
    {
      title: labels('Caratteri', 'Fonts', 'Polices', 'Schriften', 'Tipos de letra'),
      fields: ['font_family', 'font_url'],
    },
    {
      title: labels(
        'In fondo alla pagina',
        'At the end of the page',
        'En bas de la page',
        'Am Ende der Seite',
        'Al final de la página',
      ),
      fields: ['footer_text'],
    },
  ],
};
