import type { PageContext } from '../pipeline/route.ts';

const DEFAULT_PORTS = { http: 80, https: 443 };

/**
 * Makes `originOf`: the origin under which a guest reached a restaurant, such as `https://a.example`.
 * A page is made for each origin, so that a client decides nothing about it but by the door through
 * which it came: TLS or not, and this gateway's own port or that of a proxy before it.
 *
 * @param port on which gateways listen
 */
export function createOrigins(domain: string, port: number): (context: PageContext) => string {
  const own = `:${port}`;
  return ({ host, secure, snapshot }) => {
    const scheme = secure ? 'https' : 'http';
    const isNamed = host.endsWith(own) && port !== DEFAULT_PORTS[scheme];
    return `${scheme}://${snapshot.tenant.slug}.${domain}${isNamed ? own : ''}`;
  };
}
