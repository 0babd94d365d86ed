// The HTTP library alone: one finished answer to every request, or one for each host. It asks for the
// address of the client and for the three headers that every answer of a menu depends on.
import uWS, { type HttpRequest, type HttpResponse } from 'uWebSockets.js';
import type { PeerAnswer, PeerSettings } from './peer.ts';

const HOST = Buffer.from('host');
const OTHERS = ['if-none-match', 'accept-encoding'].map((name) => Buffer.from(name));

/** The library copies the status unchanged, so one call can write all header lines after it. */
function finished({ status, headers, body }: PeerAnswer) {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return { head: Buffer.from([status, ...lines].join('\r\n')), body };
}

/** @returns its Host header */
function readRequest(res: HttpResponse, req: HttpRequest): string {
  res.getRemoteAddress();
  for (const name of OTHERS) req.getHeader(name);
  return req.getHeader(HOST);
}

function send(res: HttpResponse, { head, body }: ReturnType<typeof finished>): void {
  res.writeStatus(head);
  if (body === null) res.endWithoutBody();
  else res.end(body);
}

function serve({ port, answers, ...only }: PeerSettings): void {
  const app = uWS.App();
  const one = finished(only);
  const byHost = new Map([...answers].map(([host, answer]) => [host, finished(answer)]));
  if (byHost.size === 0) {
    app.any('/*', (res, req) => {
      readRequest(res, req);
      send(res, one);
    });
  } else {
    app.any('/*', (res, req) => {
      const answer = byHost.get(readRequest(res, req));
      if (answer) send(res, answer);
      else res.close();
    });
  }
  app.listen('127.0.0.1', port, (socket) => {
    if (socket) process.send?.('ready');
    else process.exit(1);
  });
}

process.once('message', serve);
process.on('disconnect', () => process.exit());
