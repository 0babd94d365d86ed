import { statementsOf } from '../../../db/law/statements.ts';
import { type Guest, guestTexts } from '../../../db/texts/catalogues.ts';
import { type Content, html } from '../../http/html.ts';
import { dishesOf, type MenuReading, type MenuView } from './menu-view.ts';

// Sentences that the law of the restaurant's country prints on a menu.

type LawText = keyof Guest['law'];

function sentence({ textLocale }: MenuReading, key: LawText, value = ''): string {
  return guestTexts(textLocale).law[key].replace('{value}', () => value);
}

/** Those about its dishes, below the legend. */
export function legalLines(view: MenuView): Content {
  const dishes = [...dishesOf(view.tree)];
  const frozen = view.labels.get('frozen')?.name ?? '';
  return statementsOf(view.settings, dishes).map((key) => {
    return html`<p class="law">${sentence(view, key, frozen)}</p>\n`;
  });
}

const percent = (locale: string, value: number) =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100);

/** The cover charge as an amount, and what the prices include. */
export function priceLine(reading: MenuReading): Content {
  const { settings, locale, price } = reading;
  const { country, cover_charge, service_charge_percent: service, prices_exclude_tax } = settings;
  const parts = [
    typeof cover_charge === 'number' && sentence(reading, 'coverCharge', price(cover_charge)),
    service === 0 && sentence(reading, 'serviceIncluded'),
    typeof service === 'number' &&
      service > 0 &&
      sentence(reading, 'serviceAdded', percent(locale, service)),
    prices_exclude_tax && sentence(reading, 'taxAdded'),
    !prices_exclude_tax && country && sentence(reading, 'taxIncluded'),
  ].filter(Boolean);
  return parts.length > 0 && html`<p class="charge">${parts.join(' · ')}</p>\n`;
}
