import { el } from './element.js';

/** How long the way is offered after the last sign of somebody, in ms. */
const OFFERED = 8_000;

/**
 * Offers the guest's page to whoever moves a pointer, touches the screen or presses a key: a wide
 * window is not always a wall.
 *
 * @param text called for what the link says
 */
export function offerWayOut(text) {
  const parameters = new URLSearchParams(location.search);
  parameters.set('screen', '0');
  const link = el('a', { id: 'way-out', href: `?${parameters}`, hidden: true });
  let timer;
  const offer = () => {
    link.textContent = text();
    link.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      link.hidden = true;
    }, OFFERED);
  };
  document.body.prepend(link);
  for (const sign of ['pointermove', 'pointerdown', 'keydown']) addEventListener(sign, offer);
}
