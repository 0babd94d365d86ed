import { Agent } from 'node:http';
import { type Call, exchange, type Reply } from './http-call.ts';

/** Speaks HTTP to one gateway under the name of any tenant. */
export interface Client {
  call(slug: string, call: Call): Promise<Reply>;
  close(): void;
}

export function createClient(port: number): Client {
  // Idle connections are given up before the gateway closes them, which takes it ten seconds.
  const agent = new Agent({ keepAlive: true, timeout: 4_000 });
  return {
    call: (slug, call) => exchange({ agent, port, host: `${slug}.localhost` }, call),
    close: () => agent.destroy(),
  };
}
