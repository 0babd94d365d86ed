import { Agent } from 'node:http';
import { exchange } from '../load/http-call.ts';

/** Speaks HTTP to gateways of this machine; a connection that breaks rejects. */
export function createClient(host: string, maxSockets = 64) {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const send = (
    port: number,
    method: string,
    path: string,
    { body, token }: { body?: string; token?: string } = {},
  ) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return exchange({ agent, port, host }, { method, path, headers, body });
  };
  return { send, close: () => agent.destroy() };
}
