// How the menu is printed, as the address says: the sheet, the size of the type, and which sections.

const PX_PER_MM = 96 / 25.4;

let isDone = false;

/** Opens the browser's own preview of the sheets, once the page has been laid out. */
const printSoon = () => setTimeout(() => print(), 0);

/** How many sheets the page takes: what stands last says it. */
function countSheets(root) {
  const style = getComputedStyle(root);
  const widthOf = (name) => Number.parseFloat(style.getPropertyValue(name)) * PX_PER_MM;
  const [width, between] = [widthOf('--sheet-width'), widthOf('--between')];
  const start = document.body.getBoundingClientRect();
  const far = [...document.querySelectorAll('#menu .dish, #legend, #foot, #paper')].map((one) => {
    const { left, right, width: own } = one.getBoundingClientRect();
    if (own === 0) return 0;
    return root.dir === 'rtl' ? start.right - left : right - start.left;
  });
  root.style.setProperty('--sheets', Math.ceil((Math.max(...far) - 1) / (width + between)));
}

/** Shows the page as the sheets that it will be. */
function showSheets(root) {
  const sheet = document.querySelector('link[rel=stylesheet][href$="/display.css"]');
  sheet.addEventListener('load', () => {
    root.dataset.sheet = '';
    countSheets(root);
    document.fonts?.ready.then(() => countSheets(root));
  });
  sheet.href = sheet.href.replace(/display\.css$/, 'paper.css');
}

/** Takes over what the panel's page for printing has put into the address. */
export function preparePaper(root, parameters, menu) {
  for (const name of ['type', 'size']) {
    const value = parameters.get(name);
    if (value) root.dataset[name] = value;
  }
  const wanted = new Set(parameters.getAll('print').map((id) => `section-${id}`));
  for (const section of menu.querySelectorAll(':scope > section')) {
    section.classList.toggle('not-printed', wanted.size > 0 && !wanted.has(section.id));
  }
  if (isDone) return;
  isDone = true;
  if (parameters.get('paper') === 'now') printSoon();
  if (parameters.get('paper') === 'show') showSheets(root);
}
