import assert from 'node:assert/strict';
import { type Caller, createCaller } from './admin.ts';
import { noteSecret } from './collected-log.ts';
import { createClient } from './http.ts';

/** PLATFORM_TOKEN of gateways in tests. */
export const PLATFORM_TOKEN = noteSecret('operator-of-all-restaurants-0123456789');

/** Speaks to the platform's API as an operator's program does. */
interface OperatorApi {
  call: Caller;
  /** Asserts the status; the JSON of the answer, or undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in the JSON.
  expect(status: number, method: string, path: string, body?: unknown): Promise<any>;
}

/** @param port of the gateway */
export function createOperatorApi(port: number, token = PLATFORM_TOKEN): OperatorApi {
  const call = createCaller(createClient(port, 'localhost'), '/platform', token);
  return {
    call,
    expect: async (status, method, path, body) => {
      const answer = await call(method, path, body);
      assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
      return answer.status === 204 ? undefined : answer.json;
    },
  };
}
