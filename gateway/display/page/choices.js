/**
 * The choice of allergens whose dishes are to be hidden, behind a button that says how many there
 * are. `onChange` is called after each change.
 */
export function createChoices(track, onChange) {
  const button = document.getElementById('filter');
  const panel = document.getElementById('choices');
  const checked = () => [...panel.querySelectorAll(':checked')];

  const open = (isOpen) => {
    panel.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  };
  const change = () => {
    button.dataset.count = checked().length || '';
    onChange();
  };

  button.addEventListener('click', () => open(panel.hidden));
  panel.addEventListener('change', ({ target }) => {
    const isAllergen = target.dataset.number !== undefined;
    if (target.checked && isAllergen) track('allergen_filter', { allergen: target.value });
    change();
  });
  panel.addEventListener('click', ({ target }) => {
    if (target.localName !== 'button') return;
    for (const box of checked()) box.checked = false;
    change();
  });
  for (const part of [button, panel]) {
    part.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || panel.hidden) return;
      open(false);
      button.focus();
    });
  }
  // It covers dishes, which a guest who touches the menu wants to see.
  document.getElementById('menu').addEventListener('pointerdown', () => open(false));

  return {
    /** The numbers of the allergens that are to be avoided. */
    avoided: () =>
      new Set(
        checked()
          .map(({ dataset }) => Number(dataset.number))
          .filter(Boolean),
      ),
    /** Allergens with the cereals or nuts that can be avoided alone, by their numbers. */
    kinds() {
      const own = new Map();
      for (const { dataset } of panel.querySelectorAll('[data-of]')) {
        const of = Number(dataset.of);
        own.set(of, [...(own.get(of) || []), Number(dataset.number)]);
      }
      return [...own];
    },
    /** The labels that dishes must have. */
    wanted: () =>
      checked()
        .filter(({ dataset }) => 'label' in dataset)
        .map(({ value }) => value),
  };
}
