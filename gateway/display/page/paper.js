// How the menu is printed, as the address says: the size of the type, and which sections.

let isPrinted = false;

/** Opens the browser's own preview of the sheets, once the page has been laid out. */
function printOnce() {
  if (isPrinted) return;
  isPrinted = true;
  setTimeout(() => print(), 0);
}

/** Takes over what the panel's page for printing has put into the address. */
export function preparePaper(root, parameters, menu) {
  const type = parameters.get('type');
  if (type) root.dataset.type = type;
  if (parameters.get('paper') === 'now') printOnce();
  const wanted = new Set(parameters.getAll('print').map((id) => `section-${id}`));
  if (wanted.size === 0) return;
  for (const section of menu.querySelectorAll(':scope > section')) {
    section.classList.toggle('not-printed', !wanted.has(section.id));
  }
}
