import { isSlug, MAX_SLUG } from '../../db/schema/host.ts';

/** The name in a Host header: in lower case, without a port and a trailing dot. */
export function hostName(host: string): string {
  const colon = host.indexOf(':');
  const name = (colon === -1 ? host : host.slice(0, colon)).toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** The longest part of a host beside slug and domain: two dots and a port. */
const MAX_REST = '..:65535'.length;

/**
 * Reads the tenant's slug from a Host header: `<tenant>.<domain>`, case-insensitive, port and
 * trailing dot ignored. Null when the host is not directly below the domain, or longer than such a
 * host can be.
 */
export function tenantSlug(host: string, domain: string): string | null {
  if (host.length > MAX_SLUG + domain.length + MAX_REST) return null;
  const name = hostName(host);
  const label = name.length - domain.length - 1;
  if (label < 1 || name[label] !== '.' || !name.endsWith(domain)) return null;
  const slug = name.slice(0, label);
  return isSlug(slug) ? slug : null;
}
