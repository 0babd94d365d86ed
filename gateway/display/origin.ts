/** A request by a browser, and the restaurant that it is for. */
interface Reached {
  host: string;
  secure: boolean;
  slug: string;
}

const DEFAULT_PORTS = { http: 80, https: 443 };

/**
 * Makes `originOf`: the origin under which a guest reached a restaurant, such as `https://a.example`.
 * A page is made for each origin, so that a client decides nothing about it but by the door through
 * which it came: TLS or not, and this gateway's own port or that of a proxy before it.
 *
 * @param port on which gateways listen
 */
export function createOrigins(domain: string, port: number): (reached: Reached) => string {
  const own = `:${port}`;
  return ({ host, secure, slug }) => {
    const scheme = secure ? 'https' : 'http';
    const isNamed = host.endsWith(own) && port !== DEFAULT_PORTS[scheme];
    return `${scheme}://${slug}.${domain}${isNamed ? own : ''}`;
  };
}
