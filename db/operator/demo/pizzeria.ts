import { ausDerStube } from './pizzeria/aus-der-stube.ts';
import { getraenke } from './pizzeria/getraenke.ts';
import { klassischePizzen } from './pizzeria/klassische-pizzen.ts';
import { nachspeisen } from './pizzeria/nachspeisen.ts';
import { suedtirolerPizzen } from './pizzeria/suedtiroler-pizzen.ts';
import { vorspeisen } from './pizzeria/vorspeisen.ts';
import { weine, weingueter } from './pizzeria/weine.ts';
import type { DemoRestaurant } from './restaurant.ts';

/** The demo tenant `pizzeria`: a South Tyrolean pizzeria whose first language is German. */
export const pizzeria: DemoRestaurant = {
  slug: 'pizzeria',
  timezone: 'Europe/Rome',
  settings: {
    name: 'Pizzeria Zum Roten Ofen',
    logo_url: 'https://pizzeria.example/bilder/logo.svg',
    cover_image_url: null,
    cover_charge_text: 'Gedeck 1,50 € pro Person',
    allergen_info:
      'Spuren aller 14 Allergene sind möglich. Bitte informieren Sie uns vor der Bestellung über Allergien und Unverträglichkeiten.',
    review_url: 'https://pizzeria.example/bewertungen',
    recommended_label: 'Unser Tipp',
    business_name: 'Zum Roten Ofen KG',
    vat_number: 'IT00000000002',
    address: 'Laubengasse 7, 39057 Eppan an der Weinstraße (BZ)',
    phone: '+39 0471 000 034',
    email: 'servus@pizzeria.example',
    default_locale: 'de',
    supported_locales: ['de', 'it'],
    is_active: true,
  },
  theme: {
    primary_color: '#E4572E',
    secondary_color: '#7A8B69',
    accent_color: '#F2B134',
    background_color: '#17191C',
    text_color: '#F3EEE6',
    font_family: "'Archivo', Helvetica, Arial, sans-serif",
    font_url: 'https://pizzeria.example/schriften/archivo.css',
    border_radius: '2px',
    layout_variant: 'grid',
    header_style: 'banner',
    footer_text: 'Zum Roten Ofen: Holzofenpizza seit 1987. Montag Ruhetag.',
  },
  wineries: weingueter,
  sections: [
    vorspeisen,
    klassischePizzen,
    suedtirolerPizzen,
    ausDerStube,
    weine,
    nachspeisen,
    getraenke,
  ],
};
