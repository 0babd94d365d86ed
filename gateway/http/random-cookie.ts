import { hash, randomBytes } from 'node:crypto';

/** A cookie whose value is random: only its hash is stored. */
export interface RandomCookie {
  value: string;
  /** The browser does not have it yet. */
  isNew: boolean;
  /** For how long the browser keeps it, in ms; until it is closed without. */
  lasts?: number | undefined;
}

const LENGTH = 32;

/** Found in one look at the header, however many others it holds. */
function pairOf(name: string): RegExp {
  return new RegExp(`(?:^|;)[ \\t]*${name}=([\\w-]{43})[ \\t]*(?:;|$)`);
}

/**
 * @param name without the prefix that keeps other hosts of the domain from setting the cookie: it needs
 *   TLS
 * @param plainPath where the cookie is sent without TLS; the prefix wants the whole host
 */
export function createCookieKind(name: string, plainPath: string) {
  const secureName = `__Host-${name}`;
  const [securePair, plainPair] = [pairOf(secureName), pairOf(name)];
  /** @param lasts for how long the browser keeps it, in ms; by default until it is closed */
  const fresh = (lasts?: number): RandomCookie => {
    return { value: randomBytes(LENGTH).toString('base64url'), isNew: true, lasts };
  };
  return {
    fresh,
    /**
     * The cookie of a request, or a new one.
     *
     * @param header the Cookie header
     * @param onlySecure the request came through TLS, so that only the protected cookie counts
     */
    read: (header: string, onlySecure: boolean): RandomCookie => {
      const found = securePair.exec(header) ?? (onlySecure ? null : plainPair.exec(header));
      const value = found?.[1];
      return value === undefined ? fresh() : { value, isNew: false };
    },
    set: ({ value, lasts }: RandomCookie, secure: boolean) => {
      const place = secure ? 'Path=/; Secure' : `Path=${plainPath}`;
      const age = lasts === undefined ? '' : `; Max-Age=${Math.floor(lasts / 1_000)}`;
      return `${secure ? secureName : name}=${value}; ${place}${age}; HttpOnly; SameSite=Lax`;
    },
  };
}

/** The stored form of a cookie, which is random: a fast hash is safe. */
export function hashCookie({ value }: RandomCookie): Buffer {
  return hash('sha256', value, 'buffer');
}
