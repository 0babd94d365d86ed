/** The longest label that a host name can have (RFC 1035, 2.3.4), in characters. */
export const MAX_SLUG = 63;

const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Whether a text can be a tenant's slug: a label of its host name, in lower case. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG && SLUG.test(text);
}
