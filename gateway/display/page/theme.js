/** Pause before a stylesheet that did not come is asked for again, in ms. */
const SHEET_WAIT = 5_000;

const root = document.documentElement;
const $ = (id) => document.getElementById(id);

function originOf(address) {
  try {
    // URL.canParse is too young for screens that hang on walls.
    return new URL(address, location.href).origin;
  } catch {
    return '';
  }
}

/** The font's stylesheet comes from elsewhere: the page does not wait for it. */
function addFont(address) {
  $('font')?.remove();
  if (!/^(https:|\/)/i.test(address)) return;
  const sheet = document.createElement('link');
  const font = { id: 'font', rel: 'stylesheet', href: address, referrerPolicy: 'no-referrer' };
  document.head.append(Object.assign(sheet, font));
}

/** Makes the function that fetches a theme's stylesheet; until it is here, the old one stays. */
function createSheetRenewal() {
  let coming;
  let timer;
  return function renew(href) {
    clearTimeout(timer);
    coming?.remove();
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    coming = sheet;
    sheet.onload = () => {
      if (sheet !== coming) return;
      $('theme').remove();
      sheet.id = 'theme';
      coming = null;
    };
    sheet.onerror = () => {
      if (sheet === coming) timer = setTimeout(renew, SHEET_WAIT, href);
    };
    $('theme').after(sheet);
  };
}

/** Makes the function that takes on the theme of a new document of the server's. */
export function createDresser() {
  const renewSheet = createSheetRenewal();
  let worn = $('theme').getAttribute('href');
  // From where a font may come was settled when the page was loaded.
  const allowed = originOf(root.dataset.font);
  addFont(root.dataset.font);
  return (next) => {
    const href = next.getElementById('theme').getAttribute('href');
    if (href !== worn) renewSheet(href);
    worn = href;
    const { font } = next.documentElement.dataset;
    if (font === root.dataset.font) return;
    root.dataset.font = font;
    addFont(font);
    if (originOf(font) !== allowed) dispatchEvent(new Event('outdated'));
  };
}
