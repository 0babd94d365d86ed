import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { MenuService } from './menu-service.ts';

/** Makes a client of the protocol speak the revision of 2026. */
export const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

/** Speaks to the restaurant's host, which Node does not resolve. */
function fetchFrom({ client }: Pick<MenuService, 'client'>) {
  return async (url: URL | string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url);
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === 'string' ? { body: init.body } : {};
    const answer = await client.send(pathname, { method: init.method ?? 'GET', headers, ...body });
    const { status, headers: told } = answer;
    const isEmpty = [202, 204, 304].includes(status);
    return new Response(isEmpty ? null : answer.body, { status, headers: told });
  };
}

/** An assistant with this token. @param options of the protocol's client */
export async function connectAssistant(
  service: Pick<MenuService, 'client' | 'gateway'>,
  token: string,
  options: object = MODERN,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const url = new URL(`http://osteria.localhost:${service.gateway.port}/mcp`);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const how = { fetch: fetchFrom(service), requestInit };
  await client.connect(new StreamableHTTPClientTransport(url, how));
  return client;
}

/** The answer of a tool. */
interface ToolAnswer {
  isError: boolean;
  text: string;
}

/** Calls a tool. */
export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: given });
  const [first] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, text: first?.text ?? '' };
}
