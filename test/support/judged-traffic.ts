import type { RequestOptions } from './http.ts';

/** The header that names the port of the gateway to a proxy. */
export const JUDGED_GATEWAY = 'x-judged-gateway';
/** Headers about the way of the bytes, which a proxy changes. */
const OF_THE_WAY = ['transfer-encoding', 'content-length', 'expect'];

/**
 * Where a request goes instead when `TEST_JUDGE` names the port of a validating proxy. Undefined for
 * requests that go to the gateway itself: pages, and tests of HTTP.
 */
export function wayThroughJudge(
  port: number,
  path: string,
  { headers = {} }: RequestOptions,
): { port: number; headers: Record<string, string> } | undefined {
  const judge = Number(process.env.TEST_JUDGE);
  if (!judge || !path.startsWith('/api/v1/')) return undefined;
  if (Object.keys(headers).some((name) => OF_THE_WAY.includes(name.toLowerCase())))
    return undefined;
  return { port: judge, headers: { [JUDGED_GATEWAY]: String(port) } };
}
