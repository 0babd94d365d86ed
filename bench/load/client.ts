import { Agent } from 'node:http';
import { type Call, exchange, type Reply } from './http-call.ts';

/** Sends requests to one gateway for any tenant. */
export interface Client extends Disposable {
  /** The reply; rejects when the connection breaks. */
  call(slug: string, call: Call): Promise<Reply>;
  /** The same, and throws when the status is another one. */
  expect(status: number, slug: string, call: Call): Promise<Reply>;
}

/** @param localAddress of its connections; a gateway bounds what one address may ask for */
export function createClient(
  port: number,
  maxSockets = Number.POSITIVE_INFINITY,
  localAddress?: string,
): Client {
  // Idle connections end before the gateway closes them after ten seconds.
  const agent = new Agent({ keepAlive: true, timeout: 4_000, maxSockets, localAddress });
  const call: Client['call'] = (slug, request) =>
    exchange({ agent, port, host: `${slug}.localhost` }, request);
  return {
    call,
    expect: async (status, slug, request) => {
      const reply = await call(slug, request);
      if (reply.status === status) return reply;
      throw new Error(`${request.path}: expected ${status}, got ${reply.status}: ${reply.text}`);
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
