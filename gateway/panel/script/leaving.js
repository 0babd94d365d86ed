// A form whose values were changed and not sent: the browser asks before its page is left. Those who sign
// in lose two words, and are not asked.
for (const form of document.querySelectorAll('.desk main form[method=post]')) {
  let isChanged = false;
  form.addEventListener('input', ({ target }) => {
    // A chosen file is sent at once, or chosen again in a moment.
    if (target.type !== 'file') isChanged = true;
  });
  form.addEventListener('submit', ({ submitter }) => {
    // A preview saves nothing.
    if (!submitter?.formTarget) isChanged = false;
  });
  addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
}
