// Shows what is typed into the passwords of a form, while the button is pressed in.
for (const button of document.querySelectorAll('[data-passwords]')) {
  const fields = [...button.closest('form').querySelectorAll('[type="password"]')];
  button.hidden = fields.length === 0;
  button.addEventListener('click', () => {
    const isShown = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(isShown));
    for (const field of fields) field.type = isShown ? 'text' : 'password';
  });
  // Browsers keep passwords of fields that are passwords when the form is sent.
  button.closest('form').addEventListener('submit', () => {
    for (const field of fields) field.type = 'password';
  });
}
