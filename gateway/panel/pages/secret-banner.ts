import { type Html, html } from '../../http/html.ts';
import type { PanelRequest } from '../panel-request.ts';

interface Secret {
  /** Of the element that holds it. */
  id: string;
  title: string;
  once: string;
  label: string;
  value: string;
  rows: number;
  advice: string;
}

/** The banner with a new secret, which is on this page and on no other. */
export function secretBanner(
  { say }: PanelRequest,
  { id, title, once, label, value, rows, advice }: Secret,
): Html {
  return html`<section class="reveal" aria-labelledby="reveal-title" tabindex="-1" autofocus>
  <span class="key" aria-hidden="true"></span>
  <h2 id="reveal-title">${title}</h2>
  <p class="once">${once}</p>
  <div class="value">
    <label for="${id}">${label}</label>
    <textarea id="${id}" rows="${rows}" readonly spellcheck="false" autocomplete="off" translate="no" aria-describedby="${id}-advice">${value}</textarea>
    <button type="button" class="main" data-copy="${id}" data-copied="${say('reveal.copied')}" data-not-copied="${say('reveal.notCopied')}" hidden>${say('reveal.copy')}</button>
    <span class="copied" role="status"></span>
  </div>
  <p class="hint" id="${id}-advice">${advice}</p>
</section>`;
}
