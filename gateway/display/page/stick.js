// A screen takes a menu from a stick: by a button, or by a file that is dropped on it.
import { el } from './element.js';
import { offerToFingers } from './slides.js';

/** How long a message stays, in ms. */
const SAID = 20_000;

/** The texts of reasons for which several stand together. */
const SAID_AS = {
  ...{ signature: 'changed', unlisted: 'changed', missing: 'changed' },
  ...{ doubled: 'changed', path: 'changed', unsigned: 'broken', format: 'broken' },
};

/**
 * @param settings those of the screen, with the keys that it trusts
 * @param texts returns those of the page
 */
export function offerStick(settings, texts) {
  const input = el('input', { type: 'file', accept: '.lavagna', hidden: true });
  const button = el('button', { type: 'button', id: 'stick', textContent: texts().stick.load });
  const said = el('p', { id: 'stick-said', hidden: true });
  said.setAttribute('role', 'status');
  let timer;
  const say = (text) => {
    clearTimeout(timer);
    said.textContent = text;
    said.hidden = false;
    timer = setTimeout(() => {
      said.hidden = true;
    }, SAID);
  };
  const take = async (file) => {
    if (!file) return;
    const { stick, importer } = texts();
    try {
      const { importBundle } = await import(importer);
      await importBundle(file, settings, texts());
      location.reload();
    } catch (error) {
      console.warn(error);
      say(stick[SAID_AS[error.reason] || error.reason] || stick.unable);
    }
  };
  button.addEventListener('click', () => input.click());
  input.addEventListener('change', () => void take(input.files[0]));
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  });
  document.body.append(button, input, said);
  offerToFingers(button);
}
