import { translated } from './dishes.js';
import { el, sideBySide, webAddress } from './element.js';

/** What has fewer is no number, or one in digits that telephones do not know. */
const FEWEST_DIGITS = 5;

/** Pause before a stylesheet that did not come is asked for again, in ms. */
const SHEET_WAIT = 5_000;

const $ = (id) => document.getElementById(id);
const languageName = (code) => new Intl.DisplayNames([code], { type: 'language' }).of(code);

/** The address that was asked for last, by picture. */
const wanted = new Map();

/** Keeps a picture's place until it is there, so that the menu stays where it is, or has failed. */
function showPicture(image, address) {
  const source = webAddress(address);
  if (wanted.get(image) === source) return;
  wanted.set(image, source);
  image.hidden = !source || image.getAttribute('src') === source;
  // The next menu asks again, and one that fails again moves nothing.
  image.onerror = () => {
    image.hidden = true;
    wanted.delete(image);
  };
  image.onload = () => {
    image.hidden = false;
  };
  if (source) image.src = source;
  else image.removeAttribute('src');
}

/** Replaces what a part holds; the focus stays on the same link or button. */
function refill(part, ...children) {
  const focused = part.contains(document.activeElement) && document.activeElement;
  part.replaceChildren(...children);
  const isSame = ({ href, value }) => href === focused.href && value === focused.value;
  const again = focused && [...part.querySelectorAll('a, button')].find(isSame);
  if (again) again.focus({ preventScroll: true });
}

function fillMasthead(settings, locale, texts) {
  $('name').textContent = settings.name;
  $('address').textContent = settings.address;
  showPicture($('logo'), settings.logo_url);
  showPicture($('cover'), settings.cover_image_url);
  const choice = (code) => {
    const textContent = code.toUpperCase();
    const title = languageName(code);
    const ariaPressed = String(code === locale);
    const label = { title, ariaLabel: `${textContent}, ${title}`, lang: code, textContent };
    return el('button', { type: 'button', value: code, ariaPressed, ...label });
  };
  $('languages').ariaLabel = texts.language;
  refill($('languages'), ...settings.supported_locales.map(choice));
  $('languages').hidden = settings.supported_locales.length < 2;
}

function fillLegend(settings, labels, texts) {
  const entry = ({ number, name }) =>
    el('li', { value: number }, el('b', { textContent: number }), name);
  const { allergen_info: textContent, default_locale: lang } = settings;
  $('legend').replaceChildren(
    el('h2', { id: 'legend-title', textContent: texts.allergens }),
    el('ol', {}, ...[...labels.values()].map(entry)),
    ...(textContent ? [el('p', { lang, dir: 'auto', textContent })] : []),
  );
}

function fillFoot(settings, { footer_text }, texts) {
  const { default_locale: lang, phone, email, review_url } = settings;
  const own = (className) => ({ className, lang, dir: 'auto' });
  const line = (className, textContent) =>
    textContent && el('p', { ...own(className), textContent });
  const link = (href, textContent, more) => el('a', { href, textContent, ...more });
  const review = webAddress(review_url);
  const elsewhere = { id: 'review', target: '_blank', rel: 'noopener' };
  const business = sideBySide(settings.business_name, settings.vat_number);
  const number = phone.replace(/[^+\d]/g, '');
  const canBeCalled = number.replace('+', '').length >= FEWEST_DIGITS;
  const updated = $('updated')?.textContent ?? '';
  const parts = [
    line('charge', settings.cover_charge_text),
    review && el('p', {}, link(review, texts.review, elsewhere)),
    line('words', footer_text),
    el(
      'address',
      {},
      canBeCalled ? link(`tel:${number}`, phone) : phone,
      // What stands behind such a sign would be read as a part of the letter.
      email && link(`mailto:${email.replace(/[?&#%]/g, encodeURIComponent)}`, email),
    ),
    business.length > 0 && el('p', own('business'), ...business),
    el('p', { id: 'updated', textContent: updated }),
  ];
  refill($('foot'), ...parts.filter(Boolean));
}

function originOf(address) {
  try {
    // URL.canParse is too young for screens that hang on walls.
    return new URL(address, location.href).origin;
  } catch {
    return '';
  }
}

/** Makes the function that fetches the theme's stylesheet anew; until it is here, the old one stays. */
function createSheetRenewal() {
  let coming;
  let timer;
  return function renew() {
    clearTimeout(timer);
    coming?.remove();
    const sheet = el('link', { rel: 'stylesheet', href: `/display/${Date.now()}/theme.css` });
    coming = sheet;
    sheet.onload = () => {
      if (sheet !== coming) return;
      $('theme').remove();
      sheet.id = 'theme';
      coming = null;
    };
    sheet.onerror = () => {
      if (sheet === coming) timer = setTimeout(renew, SHEET_WAIT);
    };
    $('theme').after(sheet);
  };
}

/** Makes the function that takes on a theme. */
export function createDresser() {
  const renewSheet = createSheetRenewal();
  let worn;
  let allowed;
  return (theme) => {
    const look = JSON.stringify(theme);
    const origin = originOf(theme.font_url);
    if (worn === look) return;
    if (worn) renewSheet();
    // From where a font may come was settled when the page was loaded.
    if (worn && origin !== allowed) dispatchEvent(new Event('outdated'));
    worn = look;
    allowed = origin;
    const { dataset } = document.documentElement;
    dataset.layout = theme.layout_variant;
    dataset.header = theme.header_style;
    $('font')?.remove();
    if (!/^(https:|\/)/i.test(theme.font_url)) return;
    const font = { id: 'font', rel: 'stylesheet', href: theme.font_url };
    document.head.append(el('link', { ...font, referrerPolicy: 'no-referrer' }));
  };
}

/** Fills what stands around the menu: masthead, languages, section links, legend, foot. */
export function fillFrame({ settings, theme, tree, locale, labels, texts }) {
  document.title = settings.name;
  document.documentElement.lang = locale;
  $('skip').textContent = texts.skip;
  fillMasthead(settings, locale, texts);
  const links = tree.map(({ id, name, name_translations }) => {
    const more = { href: `#section-${id}` };
    return el('li', {}, translated('a', '', name, name_translations, locale, more));
  });
  $('sections').ariaLabel = texts.sections;
  refill($('sections').firstElementChild, ...links);
  fillLegend(settings, labels, texts);
  fillFoot(settings, theme, texts);
  for (const id of ['skip', 'foot']) $(id).hidden = false;
  // In an empty menu there is nothing to search.
  for (const id of ['tools', 'legend']) $(id).hidden = tree.length === 0;
}
