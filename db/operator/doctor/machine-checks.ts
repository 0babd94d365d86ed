import { lookup } from 'node:dns/promises';
import { assertCertificate } from '../../runtime/certificate.ts';
import type { Config } from '../../runtime/config.ts';
import { DAY } from '../../runtime/day.ts';
import { openFilesLimit } from '../../runtime/open-files.ts';
import { asError, OperatorError } from '../../runtime/operator-error.ts';
import { portTrouble, portTroubles } from '../../runtime/port.ts';
import { bad, type Check, doubtful, good } from './check.ts';

const HEALTH_BOUND = 2_000;
/** How long before its end a certificate should have been renewed, in days. */
const RENEWAL = 14;
const RENEW = 'Renew it: gateways take it within ten seconds.';
/** Below this a gateway runs out of descriptors before its displays are many. */
const FEW_FILES = 4_096;

async function isHealthy(opsPort: number): Promise<boolean> {
  try {
    const url = `http://127.0.0.1:${opsPort}/healthz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(HEALTH_BOUND) });
    return /^ok /.test(await response.text());
  } catch {
    // Another program listens there.
    return false;
  }
}

/**
 * The ports are free, or taken by a Lavagna that runs. Whether a process is one of ours can be asked
 * on its OPS_PORT only, and this shell's need not be that of the gateways.
 */
export async function checkPorts({ port, opsPort }: Config): Promise<Check> {
  const name = 'ports';
  const running = await isHealthy(opsPort);
  const opsTrouble = running ? undefined : await portTrouble(opsPort);
  if (opsTrouble !== undefined) {
    return bad(name, `OPS_PORT ${opsPort} ${opsTrouble}.`, 'Choose another OPS_PORT.');
  }
  const trouble = await portTrouble(port);
  const health = running ? `a Lavagna answers on ${opsPort}` : `${opsPort} is free`;
  if (trouble === undefined) return good(name, `${port} is free; ${health}.`);
  if (running) return good(name, `${port} is taken; ${health}.`);
  if (trouble === portTroubles.reserved) {
    return bad(name, `PORT ${port} ${trouble}.`, 'Choose another PORT.');
  }
  return doubtful(
    name,
    `PORT ${port} ${trouble}, by a gateway of yours or another program; ${health}.`,
    'Ask again with the OPS_PORT of a gateway; where none runs, choose another PORT.',
  );
}

/** Every name below DOMAIN must lead here: the check asks for one that no list has. */
export async function checkDomain({ domain }: Config): Promise<Check> {
  const name = `lavagna-doctor.${domain}`;
  if (domain === 'localhost' || domain.endsWith('.localhost')) {
    return good('domain', `Browsers and curl find *.${domain} on this machine.`);
  }
  try {
    const addresses = await lookup(name, { all: true });
    return good('domain', `${name} is ${addresses.map(({ address }) => address).join(', ')}.`);
  } catch (error) {
    const { code } = asError(error);
    const advice = `Add a DNS record for *.${domain} that names this machine or its proxy.`;
    return doubtful('domain', `${name} does not resolve (${code}).`, advice);
  }
}

/** The certificate is there, covers the restaurants' names and lasts. */
export function checkCertificate({ tls, domain }: Config, now: number): Check {
  const name = 'certificate';
  if (!tls) return good(name, 'TLS_CERT is not set: TLS, if any, ends in a proxy.');
  try {
    const certificate = assertCertificate(tls);
    const days = Math.floor((Date.parse(certificate.validTo) - now) / DAY);
    const found = `${tls.cert} ends in ${days} days.`;
    if (!certificate.checkHost(`lavagna-doctor.${domain}`)) {
      return bad(name, `${tls.cert} does not cover *.${domain}.`, 'Get a wildcard certificate.');
    }
    if (days < 0) return bad(name, `${tls.cert} has ended.`, RENEW);
    if (days >= RENEWAL) return good(name, found);
    return doubtful(name, found, RENEW);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return bad(name, error.message, 'Mend TLS_CERT and TLS_KEY.');
  }
}

/**
 * Whether all displays can stay connected. A gateway without a free descriptor accepts no connection,
 * and logs nothing.
 *
 * @param limits what `/proc/self/limits` says; processes started from here have the same
 */
export function checkOpenFiles(limits: string): Check {
  const name = 'files';
  const most = openFilesLimit(limits);
  const found = `A process started from here may have ${most} files and connections open.`;
  // "unlimited" is no number, and not too little.
  if (!(Number(most) < FEW_FILES)) return good(name, found);
  return doubtful(name, found, 'Raise its hard limit: ulimit -Hn, or LimitNOFILE in a unit.');
}
