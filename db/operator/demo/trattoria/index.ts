import type { DemoRestaurant } from '../restaurant.ts';
import { antipasti } from './antipasti.ts';
import { bevande } from './bevande.ts';
import { cantine } from './cantine.ts';
import { contorni } from './contorni.ts';
import { dolci } from './dolci.ts';
import { fuoriCarta } from './fuori-carta.ts';
import { natale } from './natale.ts';
import { pizze } from './pizze.ts';
import { pranzo } from './pranzo.ts';
import { primi } from './primi.ts';
import { secondi } from './secondi.ts';
import { vini } from './vini.ts';
import { viniAlCalice } from './vini-calice.ts';

/** The demo tenant `trattoria`: a Roman trattoria in five languages. */
export const trattoria: DemoRestaurant = {
  slug: 'trattoria',
  timezone: 'Europe/Rome',
  settings: {
    name: 'Trattoria da Iole',
    logo_url: 'https://trattoria.example/images/logo.svg',
    cover_image_url: 'https://trattoria.example/images/sala.jpg',
    cover_charge_text: 'Pane e coperto 2,00 € a persona',
    allergen_info:
      'In cucina si lavorano tutti i 14 allergeni: chi soffre di allergie o intolleranze lo dica al personale prima di ordinare.',
    review_url: 'https://trattoria.example/recensioni',
    recommended_label: 'Consigliato da Iole',
    business_name: 'Da Iole S.r.l.',
    vat_number: 'IT00000000001',
    address: 'Via dei Cocciari 12, 00153 Roma (RM)',
    phone: '+39 06 0000 0012',
    email: 'ciao@trattoria.example',
    default_locale: 'it',
    supported_locales: ['it', 'en', 'fr', 'de', 'es'],
    is_active: true,
  },
  theme: {
    primary_color: '#8C2F1B',
    secondary_color: '#5B6B3A',
    accent_color: '#C8862B',
    background_color: '#FBF5EA',
    text_color: '#33231A',
    font_family: "'Lora', Georgia, serif",
    font_url: 'https://trattoria.example/fonts/lora.css',
    border_radius: '8px',
    layout_variant: 'classic',
    header_style: 'centered',
    footer_text: 'Trattoria da Iole, dal 1958 a Testaccio. Chiuso il martedì.',
  },
  wineries: cantine,
  // The wines stand second so that the rule "wine sections come last" has something to move.
  sections: [
    antipasti,
    vini,
    pranzo,
    primi,
    secondi,
    contorni,
    pizze,
    fuoriCarta,
    dolci,
    viniAlCalice,
    bevande,
    natale,
  ],
};
