// Copies a new token's value. Without this script the value can be selected and copied by hand.
for (const button of document.querySelectorAll('button[data-copy]')) {
  const field = document.getElementById(button.dataset.copy);
  const status = button.parentElement.querySelector('[role="status"]');
  button.hidden = false;
  button.addEventListener('click', async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = button.dataset.copied;
    } catch {
      // Without TLS or without leave the browser has no clipboard for us; the value is selected.
      status.textContent = button.dataset.notCopied;
    }
  });
}

// The page with the value is the answer to a form. Reload and back then show the list, and do not ask
// whether to send the form again.
if (document.querySelector('.reveal')) history.replaceState(null, '', location.href);

// A browser may keep the page for a user who goes back to it: not with the value in it.
addEventListener('pagehide', () => {
  for (const banner of document.querySelectorAll('.reveal')) banner.remove();
});

// Another click while the answer is on its way would send the form again, and the browser would drop
// the first answer: on a slow network, each impatient click would begin the wait anew. A form is free
// again when its page is shown again, and after a while at the latest: it may have been stopped.
addEventListener('submit', (event) => {
  const form = event.target;
  // A preview changes nothing, and its answer goes into a frame.
  if (event.submitter?.formTarget) return;
  if (form.getAttribute('aria-busy') === 'true') event.preventDefault();
  else {
    form.setAttribute('aria-busy', 'true');
    setTimeout(() => form.removeAttribute('aria-busy'), 30_000);
  }
});
addEventListener('pageshow', () => {
  for (const form of document.forms) form.removeAttribute('aria-busy');
});
// The buttons for ticked dishes cover the end of the window: the dish itself stays in sight.
addEventListener('change', ({ target }) => {
  if (target.name !== 'chosen' || !target.checked) return;
  const { height } = target.form.querySelector('.many').getBoundingClientRect();
  const { bottom } = target.closest('li').getBoundingClientRect();
  scrollBy(0, Math.max(0, bottom - (innerHeight - height)));
});
