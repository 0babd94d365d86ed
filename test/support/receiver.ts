import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { certain } from '../../db/runtime/certain.ts';
import { checkValue, document } from './contract.ts';

/** A message as it arrived. */
export interface Message {
  body: string;
  headers: IncomingHttpHeaders;
}

/** The schema that the document has for messages of an event. */
function messageSchema(event: string): object {
  const { content } = certain(document.webhooks[event], event).post.requestBody;
  return certain(content['application/json'], event).schema;
}

/** A receiver that answers with the statuses that `answer` gives; null: not at all. */
export async function receive(
  t: TestContext,
  answer: (count: number) => number | null = () => 204,
) {
  const messages: Message[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { type } = JSON.parse(body);
    if (type !== undefined) checkValue(messageSchema(type), JSON.parse(body), type);
    messages.push({ body, headers: request.headers });
    const status = answer(messages.length);
    if (status !== null) response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  t.after(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, messages, close };
}
