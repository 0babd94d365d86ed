// One finished answer to every request, and nothing else: what the HTTP library alone can do.
import uWS, { type HttpRequest, type HttpResponse } from 'uWebSockets.js';
import type { PeerOrder } from './peer.ts';

type Write = (res: HttpResponse) => void;

/** The library copies the status as it is, so all header lines can follow it in one call. */
function joined({ status, headers }: PeerOrder): Write {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from([status, ...lines].join('\r\n'));
  return (res) => {
    res.writeStatus(head);
  };
}

function plain({ status, headers }: PeerOrder): Write {
  return (res) => {
    // 200 is what the library writes by itself.
    if (status !== '200 OK') res.writeStatus(status);
    for (const [name, value] of headers) res.writeHeader(name, value);
  };
}

const ASKED = ['host', 'if-none-match', 'accept-encoding'].map((name) => Buffer.from(name));

/** Whose request it is, of which tenant, which form it wants and which copy it has. */
function look(res: HttpResponse, req: HttpRequest): void {
  res.getRemoteAddress();
  for (const name of ASKED) req.getHeader(name);
}

function serve(order: PeerOrder): void {
  const { port, body } = order;
  const writeHead = order.style === 'plain' ? plain(order) : joined(order);
  const before = order.style === 'looking' ? look : () => undefined;
  const app = uWS.App();
  if (body === null) {
    app.any('/*', (res, req) => {
      before(res, req);
      writeHead(res);
      res.endWithoutBody();
    });
  } else {
    app.any('/*', (res, req) => {
      before(res, req);
      writeHead(res);
      res.end(body);
    });
  }
  app.listen('127.0.0.1', port, (socket) => {
    if (socket) process.send?.('ready');
    else process.exit(1);
  });
}

process.once('message', serve);
process.on('disconnect', () => process.exit());
