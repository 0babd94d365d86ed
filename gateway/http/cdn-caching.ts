import { cacheTag } from '../../db/schema/cache-tag.ts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { type AnswerForm, createForm, JSON_FORM } from './representations.ts';

/** How long caches keep an answer while no gateway answers, in s. No menu can be changed then. */
const PUBLIC_STALE_IF_ERROR = 3_600;

/** How caches before the gateway, a CDN or varnish, may keep public answers of one restaurant. */
export interface CdnCaching {
  /** Header lines of its pages. */
  headers: Readonly<Record<string, string>>;
  json: AnswerForm;
}

/** Where no cache is told anything. */
export const NOT_CACHED: CdnCaching = { headers: {}, json: JSON_FORM };

/** The header that answers for shared caches have, and no others. */
const CDN_HEADER = 'CDN-Cache-Control';

/** Whether a cache may keep an answer. */
export const hasCdnHeader = ({ head }: Answer): boolean => head.includes(CDN_HEADER);

/**
 * Makes what caches are told: how long they may keep an answer, that they may go on while no gateway
 * answers, and the restaurant's tag, which is purged at every version. Headers that are another client's
 * at the next answer (X-RateLimit-…) would be kept with the answer: so it has none, and may be read by
 * any page without them.
 *
 * @param seconds PUBLIC_CACHE_SECONDS; 0: nothing is told, and answers are as ever
 */
export function createCdnCaching(seconds: number): (tenantId: number) => CdnCaching {
  if (seconds === 0) return () => NOT_CACHED;
  const lasting = `public, max-age=${seconds}, stale-if-error=${PUBLIC_STALE_IF_ERROR}`;
  return (tenantId) => {
    const tag = cacheTag(tenantId);
    const headers = { [CDN_HEADER]: lasting, 'Cache-Tag': tag, 'Surrogate-Key': tag };
    const open = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
    };
    const json = createForm('no-cache', { 'Content-Type': JSON_TYPE }, [], { ...headers, ...open });
    return { headers, json };
  };
}
