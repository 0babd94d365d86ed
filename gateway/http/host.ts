import { constants } from '../../db/runtime/constants.ts';
import { isSlug, MAX_SLUG } from '../../db/schema/host.ts';

/** The name in a Host header: in lower case, without a port and a trailing dot. */
export function hostName(host: string): string {
  const colon = host.indexOf(':');
  const name = (colon === -1 ? host : host.slice(0, colon)).toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/**
 * Reads the tenant's slug from a Host header: `<tenant>.<domain>`, case-insensitive, port and
 * trailing dot ignored. Null when the host is not directly below the domain.
 */
export function tenantSlug(host: string, domain: string): string | null {
  const name = hostName(host);
  const label = name.length - domain.length - 1;
  if (label < 1 || name[label] !== '.' || !name.endsWith(domain)) return null;
  const slug = name.slice(0, label);
  return isSlug(slug) ? slug : null;
}

/** The longest part of a host beside slug and domain: two dots and a port. */
const MAX_REST = '..:65535'.length;

/**
 * Makes `tenantSlug` for one domain. It caches the slugs of Host headers, because parsing a header costs
 * more than all other look-ups of a hot read. A header that is longer than any host of a tenant is not
 * cached, so that it cannot fill the memory.
 */
export function createTenantSlugs(domain: string): (host: string) => string | null {
  const slugs = new Map<string, string>();
  const longest = MAX_SLUG + domain.length + MAX_REST;
  return (host) => {
    const known = slugs.get(host);
    if (known !== undefined) return known;
    if (host.length > longest) return null;
    const slug = tenantSlug(host, domain);
    if (slug === null) return null;
    if (slugs.size >= constants.maxRememberedEntries) slugs.clear();
    slugs.set(host, slug);
    return slug;
  };
}
