// A form whose values were changed and not sent: the browser asks before its page is left.
for (const form of document.querySelectorAll('form.editor, form.list')) {
  let isChanged = false;
  form.addEventListener('input', () => {
    isChanged = true;
  });
  form.addEventListener('submit', ({ submitter }) => {
    // A preview saves nothing.
    if (!submitter?.formTarget) isChanged = false;
  });
  addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
}
