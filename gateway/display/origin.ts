import { isForwardedTls } from '../http/request-origin.ts';
import type { PageContext } from '../pipeline/route.ts';

/** Ports of other machines, such as a proxy's, under which one gateway may be known. */
const MAX_PORTS = 8;

/** Makes `originOf`: the origin under which a guest reached a restaurant, such as `https://a.example`. */
export function createOrigins(domain: string): (context: PageContext) => string {
  const ports = new Set<string>();
  return ({ host, headers, secure, snapshot }) => {
    const scheme = secure || isForwardedTls(headers) ? 'https' : 'http';
    const port = /:\d{1,5}$/.exec(host)?.[0] ?? '';
    // A page is made for each origin: clients that make ports up must not have one made for each.
    if (ports.size < MAX_PORTS) ports.add(port);
    return `${scheme}://${snapshot.tenant.slug}.${domain}${ports.has(port) ? port : ''}`;
  };
}
