// `forward.ts <address> <port> <target port>`: lets other hosts reach a server of this one that
// listens to its own host only.
import { connect, createServer } from 'node:net';

const [address, port, target] = process.argv.slice(2);
const server = createServer((near) => {
  const far = connect(Number(target), '127.0.0.1');
  near.pipe(far).pipe(near);
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
server.listen(Number(port), address, () => process.send?.('listening'));
