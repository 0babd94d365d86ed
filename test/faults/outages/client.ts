import { Agent } from 'node:http';
import {
  BrokenExchangeError,
  type Call,
  exchange,
  type Reply,
} from '../../../bench/load/http-call.ts';

/** Speaks HTTP to the server on a port, as a well-behaved program does. */
export interface Client {
  /** Rejects when no answer came on a connection that was not old. */
  call(call: Call): Promise<Reply>;
  /** Requests that were sent again. */
  repeated(): number;
  close(): void;
}

/** Connections that are idle for longer are given up, before the gateway does it after 10 s. */
const IDLE_MS = 4_000;
/** No request waits longer than this for an answer. */
const PATIENCE_MS = 30_000;

/**
 * A server may close an idle connection at the moment when the next request is sent on it: then the
 * client makes a new one and repeats the request (RFC 9112, 9.3.1).
 */
function isClosedIdle(error: unknown): boolean {
  if (!(error instanceof BrokenExchangeError)) return false;
  const { code, isReused } = error;
  return isReused && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** @param host of the tenant, as the Host header names it */
export function createClient(port: number, host: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS });
  let repeated = 0;
  return {
    call: async (call) => {
      for (;;) {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        try {
          return await exchange({ agent, port, host, signal }, call);
        } catch (error) {
          if (!isClosedIdle(error)) throw error;
          repeated += 1;
        }
      }
    },
    repeated: () => repeated,
    close: () => agent.destroy(),
  };
}
