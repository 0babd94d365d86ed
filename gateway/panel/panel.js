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

// A browser may keep the page as it was for whoever goes back to it: not with the value in it.
addEventListener('pagehide', () => {
  for (const banner of document.querySelectorAll('.reveal')) banner.remove();
});

// The second click of a double click would send the form again, and the answer to the first one, which
// shows a token's value once, would be lost. A later click is meant: the first may have been stopped.
const sent = new Set();
addEventListener('submit', (event) => {
  const form = event.target;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), 2_000);
});
