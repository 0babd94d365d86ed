// The HTTP library alone: one finished answer to every request. It asks for the address of the client
// and for the three headers that every answer of a menu depends on, and ignores them.
import uWS, { type HttpRequest, type HttpResponse } from 'uWebSockets.js';
import type { PeerSettings } from './peer.ts';

const HEADERS = ['host', 'if-none-match', 'accept-encoding'].map((name) => Buffer.from(name));

function readRequest(res: HttpResponse, req: HttpRequest): void {
  res.getRemoteAddress();
  for (const name of HEADERS) req.getHeader(name);
}

function serve({ port, status, headers, body }: PeerSettings): void {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  // The library copies the status unchanged, so one call can write all header lines after it.
  const head = Buffer.from([status, ...lines].join('\r\n'));
  const app = uWS.App();
  app.any('/*', (res, req) => {
    readRequest(res, req);
    res.writeStatus(head);
    if (body === null) res.endWithoutBody();
    else res.end(body);
  });
  app.listen('127.0.0.1', port, (socket) => {
    if (socket) process.send?.('ready');
    else process.exit(1);
  });
}

process.once('message', serve);
process.on('disconnect', () => process.exit());
