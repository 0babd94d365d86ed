import type { Scope } from './token.ts';

/**
 * The scopes that each part of a restaurant needs, to be read and to be changed, at every door: routes
 * of the API, pages of the panel and their forms.
 */
export const RIGHTS = {
  /** Its records, photos, translations, releases, screens and history, too. */
  menu: { read: 'menu:read', write: 'menu:write' },
  /** To say that dishes are sold out, and to read jobs. */
  availability: { read: 'availability:write', write: 'availability:write' },
  /** To change prices of dishes, sizes, options and offers, and nothing else, and to read jobs. */
  prices: { read: 'prices:write', write: 'prices:write' },
  statistics: { read: 'analytics:read', write: 'analytics:read' },
  people: { read: 'users:write', write: 'users:write' },
  tokens: { read: 'users:write', write: 'users:write' },
  hosts: { read: 'users:write', write: 'users:write' },
  webhooks: { read: 'webhooks:write', write: 'webhooks:write' },
} as const satisfies Record<string, { read: Scope; write: Scope }>;

/** A part of a restaurant that has its own rights. */
export type RightsPart = keyof typeof RIGHTS;
