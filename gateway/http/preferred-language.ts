import Negotiator from 'negotiator';

/** Longer headers, in characters, come from no browser and are not read. */
const MAX_LENGTH = 1_024;

/**
 * The language that a browser prefers among `available` (RFC 9110, 12.5.4); undefined when it wants
 * none of them.
 *
 * @param available the first one answers a browser that takes any language
 */
export function preferredLanguage<L extends string>(
  acceptLanguage: string,
  available: readonly L[],
): L | undefined {
  if (acceptLanguage === '' || acceptLanguage.length > MAX_LENGTH) return undefined;
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  return negotiator.language(available) as L | undefined;
}
