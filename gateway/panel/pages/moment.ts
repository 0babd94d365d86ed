import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { dateLocale } from '../texts/choose.ts';

/** A moment on the restaurant's clocks, as people write it. */
export function momentText({ request, session }: Desk, moment: string | Date): string {
  return new Intl.DateTimeFormat(dateLocale(request.language), {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: session.timezone },
  }).format(new Date(moment));
}

/** The same as an element. */
export function momentElement(desk: Desk, moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${momentText(desk, moment)}</time>`;
}
