// The browser asks before a page is left on which a form was changed and not sent. On the sign-in
// page it asks nothing.
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
