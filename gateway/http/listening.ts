import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertCertificate, type CertificateFiles } from '../../db/runtime/certificate.ts';
import { assertHttpLibrary } from '../../db/runtime/http-library.ts';
import { OperatorError } from '../../db/runtime/operator-error.ts';

type Library = typeof import('uWebSockets.js');

async function loadLibrary(): Promise<Library> {
  // The library reads this when it is loaded. Its binary for Node 20 takes heads of 64 KB without it,
  // and would answer many headers late with it. Newer ones take 4 KB without it: less than queries
  // may have.
  if (process.versions.modules !== '115') process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '65536';
  assertHttpLibrary();
  return (await import('uWebSockets.js')).default;
}

function createApp(uWS: Library, tls: CertificateFiles | undefined): TemplatedApp {
  if (!tls) return uWS.App();
  assertCertificate(tls);
  return uWS.SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key });
}

function listen(app: TemplatedApp, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    app.listen(port, (socket) => {
      if (socket) resolve(socket);
      else reject(new OperatorError(`The port ${port} (PORT) is taken.`));
    });
  });
}

/**
 * Listens on a port, shared with other gateways of this machine.
 *
 * @param addRoutes called for each application of the library: one for each certificate
 * @throws OperatorError when the port, the certificate or the HTTP library cannot be used
 */
export async function startListening(
  port: number,
  tls: CertificateFiles | undefined,
  addRoutes: (app: TemplatedApp) => void,
) {
  const uWS = await loadLibrary();
  const apps: TemplatedApp[] = [];
  const open = async () => {
    const app = createApp(uWS, tls);
    addRoutes(app);
    const socket = await listen(app, port);
    apps.push(app);
    return socket;
  };
  let socket: us_listen_socket | undefined = await open();
  /** Takes no new connections; harmless when repeated. */
  const retire = () => {
    if (socket) uWS.us_listen_socket_close(socket);
    socket = undefined;
  };
  return {
    /**
     * Takes new connections with the certificate that its files hold now. Open connections stay, with
     * the one that they began with.
     *
     * @throws OperatorError when the files cannot be used; the port is served as before then
     */
    async renew() {
      if (!socket) return;
      // The library cannot change the certificate of an application. Two of them share the port.
      const renewed = await open();
      // The system ends connections that wait at a port that closes: after the poll there are fewest.
      await nextTurn();
      // It may have been retired meanwhile.
      const isTaking = socket !== undefined;
      retire();
      socket = renewed;
      if (!isTaking) retire();
    },
    retire,
    /** Ends every connection. */
    close() {
      for (const app of apps) app.close();
    },
  };
}
