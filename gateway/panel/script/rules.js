// Some values count only under a choice: a date under "sold out until", an allergen under "declared".
// Entering one ticks that choice, and another choice empties it, so that the form shows what it saves.
// Without this script a form that contradicts itself is refused, with words.
addEventListener(
  'input',
  ({ target }) => {
    const { ticks } = target.closest?.('[data-ticks]')?.dataset ?? {};
    const isSet = target.type === 'checkbox' ? target.checked : target.value !== '';
    if (ticks && isSet) document.getElementById(ticks).checked = true;
    for (const part of document.querySelectorAll(`[data-cleared-by~="${target.id}"]`)) {
      const controls = part.matches('input') ? [part] : part.querySelectorAll('input');
      for (const control of controls) {
        if (control.type === 'radio' || control.type === 'checkbox') control.checked = false;
        else control.value = '';
      }
    }
  },
  // Before the preview sends the form.
  true,
);
