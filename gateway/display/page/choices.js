import { el } from './element.js';

/**
 * The choice of allergens whose dishes are to be hidden, behind a button that says how many there
 * are. `onChange` is called after each change.
 */
export function createChoices(track, onChange) {
  const button = document.getElementById('filter');
  const panel = document.getElementById('choices');
  const without = new Set();

  const open = (isOpen) => {
    panel.hidden = !isOpen;
    button.ariaExpanded = String(isOpen);
  };
  const change = () => {
    button.dataset.count = without.size || '';
    onChange();
  };
  const choice = ({ key, number, name }) => {
    const box = el('input', { type: 'checkbox', value: key, checked: without.has(key) });
    return el('label', {}, box, el('b', { textContent: number }), name);
  };

  button.addEventListener('click', () => open(panel.hidden));
  panel.addEventListener('change', ({ target }) => {
    if (target.checked) track('allergen_filter', { allergen: target.value });
    without[target.checked ? 'add' : 'delete'](target.value);
    change();
  });
  panel.addEventListener('click', ({ target }) => {
    if (target.tagName !== 'BUTTON') return;
    without.clear();
    for (const box of panel.querySelectorAll('input')) box.checked = false;
    change();
  });
  panel.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    open(false);
    button.focus();
  });

  return {
    /** Whether one of these allergens is to be avoided. */
    avoids: (allergens) => allergens.some((key) => without.has(key)),
    count: () => without.size,
    speak(labels, texts) {
      button.textContent = texts.allergens;
      panel.replaceChildren(
        el('legend', { textContent: texts.without }),
        ...[...labels.values()].map(choice),
        el('button', { type: 'button', textContent: texts.everything }),
      );
    },
  };
}
