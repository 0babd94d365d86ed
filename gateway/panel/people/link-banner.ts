import { linkAddress } from '../../../db/people/link-secret.ts';
import { Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { homeOrigin } from '../home-origin.ts';
import { qrSvg } from '../qr/qr-image.ts';

/** A link that was just made. */
export interface NewLink {
  secret: string;
  kind: 'invitation' | 'password';
  /** The name of the person, or the address. */
  name: string;
  /** Where it was mailed to; null where no mail is set up. */
  mailed: string | null;
}

/** The banner with a link, as text and as a code for a phone; it is on this page and on no other. */
export function linkBanner(desk: Pick<Desk, 'originOf' | 'request'>, link: NewLink): Html {
  const { say } = desk.request;
  const address = linkAddress(homeOrigin(desk), link.secret);
  const validity = say(link.kind === 'invitation' ? 'people.linkDays' : 'people.linkHour');
  return html`<section class="reveal link" aria-labelledby="reveal-title" tabindex="-1" autofocus>
  <h2 id="reveal-title">${say('people.linkTitle', { name: link.name })}</h2>
  <p class="once">${say('people.linkOnce')} ${validity}</p>
  <div class="value">
    <label for="link-value">${say('people.linkLabel')}</label>
    <textarea id="link-value" rows="3" readonly spellcheck="false" autocomplete="off" translate="no">${address}</textarea>
    <button type="button" class="main" data-copy="link-value" data-copied="${say('reveal.copied')}" data-not-copied="${say('reveal.notCopied')}" hidden>${say('reveal.copy')}</button>
    <span class="copied" role="status"></span>
  </div>
  <div class="code" role="img" aria-label="${say('people.linkTitle', { name: link.name })}">${new Html(qrSvg(address).toString())}</div>
  ${link.mailed !== null && html`<p class="hint">${say('people.linkMailed', { email: link.mailed })}</p>`}
</section>`;
}
