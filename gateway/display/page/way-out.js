import { el } from './element.js';

/** How long the way is offered after the last sign of a guest, in ms. */
const OFFERED = 8_000;
/** For how long the link is not for the finger that called it, in ms. */
const UNTOUCHED = 500;

/**
 * Offers the guest's page to people who move a pointer, touch the screen or press a key: a wide
 * window is not always a wall.
 *
 * @param text called for what the link says
 */
export function offerWayOut(text) {
  const parameters = new URLSearchParams(location.search);
  parameters.set('screen', '0');
  const link = el('a', { id: 'way-out', href: `?${parameters}`, hidden: true });
  let timer;
  let since = 0;
  const hide = () => {
    link.hidden = true;
  };
  const offer = () => {
    link.textContent = text();
    if (link.hidden) since = performance.now();
    link.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // People who have come to it by the keyboard keep their place.
      if (link.matches(':focus-visible')) link.addEventListener('blur', hide, { once: true });
      else hide();
    }, OFFERED);
  };
  link.addEventListener('click', (event) => {
    const isPressed = event.detail === 0;
    if (!isPressed && performance.now() - since < UNTOUCHED) event.preventDefault();
  });
  document.body.prepend(link);
  for (const sign of ['pointermove', 'pointerdown', 'keydown']) addEventListener(sign, offer);
}
