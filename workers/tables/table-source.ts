import { plainName } from '../../db/schema/column-names.ts';
import type { TableSource } from '../../db/schema/table.ts';

/** Columns that only one program writes: all of them show that a table is its export. */
const SIGNS: readonly [TableSource, string][] = [
  ['square', 'item name, variation name, sku'],
  ['square', 'token, item name, variation name'],
  ['loyverse', 'handle, sku, name, category, cost, barcode'],
  ['shopify', 'handle, title, option1 name, option1 value, variant price'],
  [
    'woocommerce',
    'type, sku, name, published, is featured, visibility in catalogue, regular price',
  ],
  ['woocommerce', 'type, sku, name, published, is featured, visibility in catalog, regular price'],
  ['toast', 'menu group, menu item, plu'],
  ['toast', 'menu, menu group, menu item'],
  ['toast', 'menu group name, menu item name'],
  ['odoo', 'internal reference, name, sales price'],
  ['odoo', 'name, sales price, cost, product category'],
  ['lightspeed', 'system id, upc, ean, custom sku, item'],
];

/** The program whose export a table is, by its headers; null when no program is known by them. */
export function tableSource(headers: readonly string[]): TableSource | null {
  const names = new Set(
    headers.map((header) => plainName(header.replace(/\[[^\]]*\]|\([^)]*\)/g, ' '))),
  );
  const found = SIGNS.find(([, columns]) => columns.split(', ').every((one) => names.has(one)));
  return found?.[0] ?? null;
}
