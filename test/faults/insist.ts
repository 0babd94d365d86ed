import type { Response } from '../support/http.ts';
import { until } from '../support/until.ts';

/**
 * Repeats what was not answered, or was refused for a time, as a careful client does.
 *
 * @param boundMs the longest time that this takes
 */
export async function insist(send: () => Promise<Response>, boundMs?: number): Promise<Response> {
  let reply: Response | null = null;
  const isTold = async () => {
    reply = await send().catch(() => null);
    return reply !== null && reply.status !== 503 && reply.status !== 202;
  };
  await until('no answer tells the result of a change', isTold, boundMs);
  return reply as unknown as Response;
}
