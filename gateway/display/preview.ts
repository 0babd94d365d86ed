import type { Dish } from '../../db/schema/dish.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import { directionOf } from '../../db/schema/values/locale.ts';
import { type Content, Html, html } from '../http/html.ts';
import { menuCss } from '../theme/menu-css.ts';
import { at, pageVersion } from './assets.ts';
import { fontLink } from './head.ts';
import { dishItem } from './parts/dish.ts';
import { foot, masthead } from './parts/frame.ts';
import { dishesOf, type MenuReading, type MenuView } from './parts/menu-view.ts';
import { sectionLinks, sectionPart } from './parts/section.ts';
import { previewPolicy } from './policy.ts';

/** A document that shows a draft as guests will see it. */
export interface Preview {
  text: string;
  contentSecurityPolicy: string;
}

function previewOf({ theme, locale, settings }: MenuReading, body: Content): Preview {
  const css = menuCss(theme, settings.supported_locales);
  const sheet = (name: string) => html`<link rel="stylesheet" href="${at(pageVersion, name)}">`;
  const { text } = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}" data-layout="${theme.layout_variant}" data-header="${theme.header_style}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${settings.name}</title>
<style>${new Html(css)}</style>
${sheet('display.css')}
${fontLink(theme)}${sheet('no-script.css')}
${sheet('preview.css')}
</head>
<body>${body}</body>
</html>
`;
  return { text, contentSecurityPolicy: previewPolicy(theme, css) };
}

/** One dish. */
export function dishPreview(dish: Dish, reading: MenuReading): Preview {
  // A new dish has no price until one is typed.
  const price = (amount: number) => (Number.isNaN(amount) ? '' : reading.price(amount));
  const list = html`<ul class="dishes">${dishItem(dish, { ...reading, price })}</ul>`;
  return previewOf(reading, html`<main id="menu"><section>${list}</section></main>`);
}

function sections(tree: readonly SectionTree[], reading: MenuReading): Html[] {
  const dishes = new Map(
    Array.from(dishesOf(tree), (dish) => [dish, dishItem(dish, reading)] as const),
  );
  return tree.map((section) => sectionPart(section, { ...reading, dishes }));
}

/** A section's head: its name, its times and its notes. */
export function sectionPreview(section: SectionTree, reading: MenuReading): Preview {
  return previewOf(reading, html`<main id="menu">${sections([section], reading)}</main>`);
}

/**
 * A menu in a theme. Nothing in it can be operated: its links lead to the menu as it is.
 *
 * @param above stands above the menu
 */
export function themePreview(view: MenuView, above: Content): Preview {
  const menu = html`<div inert>${masthead(view)}<div id="bar">${sectionLinks(view.tree, view)}</div>
<main id="menu">${sections(view.tree, view)}</main>
${foot(view)}</div>`;
  return previewOf(view, [above, menu]);
}
