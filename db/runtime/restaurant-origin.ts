import type { Config } from './config.ts';

/** Where a restaurant is on the web. */
export interface Home {
  slug: string;
  /** Its own host name; null: it is at its slug below the domain. */
  host: string | null;
}

/** The way on which a request came. */
export interface Door {
  /** As the client names it, with a port. */
  host: string;
  /** Through TLS. */
  secure: boolean;
}

/** The origin of a restaurant's pages, such as `https://trattoria.menu.example.com`. */
export type OriginOf = (home: Home, door?: Door) => string;

const DEFAULT_PORTS = { http: 80, https: 443 };

/** The host name of a restaurant. */
export function hostOf({ slug, host }: Home, domain: string): string {
  return host ?? `${slug}.${domain}`;
}

/**
 * Makes `originOf`. With PUBLIC_URL, and for links that no request asks for, it has that scheme and
 * port. Without PUBLIC_URL it has those of the door: TLS or not, and the gateway's own port or that of
 * a proxy before it. A client decides nothing else about it.
 */
export function createOriginOf(config: Pick<Config, 'domain' | 'publicUrl' | 'port'>): OriginOf {
  const { domain, publicUrl, port } = config;
  const own = `:${port}`;
  const fixed = publicUrl.port === '' ? '' : `:${publicUrl.port}`;
  return (home, door) => {
    const host = hostOf(home, domain);
    if (!door || publicUrl.isGiven) return `${publicUrl.scheme}//${host}${fixed}`;
    const scheme = door.secure ? 'https' : 'http';
    const isNamed = door.host.endsWith(own) && port !== DEFAULT_PORTS[scheme];
    return `${scheme}://${host}${isNamed ? own : ''}`;
  };
}
