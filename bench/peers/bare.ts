// One finished answer to every request, and nothing else: what the HTTP library alone can do.
import uWS, { type HttpResponse } from 'uWebSockets.js';
import type { PeerOrder } from './peer.ts';

type Write = (res: HttpResponse) => void;

function joined({ headers }: PeerOrder): Write {
  const [[firstName, firstValue] = ['', ''], ...others] = headers;
  const name = Buffer.from(firstName);
  const lines = others.map(([other, value]) => `${other}: ${value}`);
  const value = Buffer.from([firstValue, ...lines].join('\r\n'));
  return (res) => {
    res.writeHeader(name, value);
  };
}

function plain({ headers }: PeerOrder): Write {
  return (res) => {
    for (const [name, value] of headers) res.writeHeader(name, value);
  };
}

function serve(order: PeerOrder): void {
  const { port, status, body } = order;
  const writeHeaders = order.style === 'joined' ? joined(order) : plain(order);
  const app = uWS.App();
  if (body === null) {
    app.any('/*', (res) => {
      res.writeStatus(status);
      writeHeaders(res);
      res.endWithoutBody();
    });
  } else {
    app.any('/*', (res) => {
      writeHeaders(res);
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
