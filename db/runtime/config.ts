import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import * as v from 'valibot';
import { constants } from './constants.ts';
import { readDatabaseUrl } from './database-url.ts';
import { OperatorError } from './operator-error.ts';

/** Mistakes in the environment: one sentence per bad variable, one per line. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';
}

/** The kinds of process the Procfile knows. */
export const processKinds = ['gateway', 'worker'] as const;
export type ProcessKind = (typeof processKinds)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const maxPort = 65_535;
const maxProcessesOfAKind = 64;
/** Requests a minute; a count of them must fit into Postgres's integer with all that it adds. */
const maxLimit = 1_000_000_000;
const maxStreams = 1_000_000;
/** DNS allows 253 characters; a tenant's label and its dot need up to 64 of them. */
const maxDomainLength = 253 - 64;
const hostname = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;

/** Of the range in which IPv6 holds the addresses of IPv4, `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.check((text) => {
      return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
    }, `must be a whole number ${range}`),
    v.transform(Number),
  );
}

function integer(byDefault: number, min: number, max?: number) {
  return v.optional(wholeNumber(min, max), String(byDefault));
}

/** Only what everybody reads in the same way: short and octal forms name other networks to some. */
function isAddressOrCidr(text: string): boolean {
  if (text.includes('/')) {
    return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
  }
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** IPv4 addresses that are written as IPv6 ones become what peers are known by. */
function toCidr(text: string): string {
  const [address = '', length] = text.split('/');
  const parsed = ipaddr.parse(address);
  const bits = Number(length ?? parsed.toByteArray().length * 8);
  const plain = ipaddr.process(address);
  const isMapped = plain.kind() !== parsed.kind() && bits >= MAPPED_BITS;
  return isMapped ? `${plain}/${bits - MAPPED_BITS}` : `${address}/${bits}`;
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function isPostgresUrl(text: string): boolean {
  try {
    readDatabaseUrl(text);
    return true;
  } catch {
    return false;
  }
}

function isSmtpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

/** The sender of mail, with or without a name: `Trattoria <menu@example.com>`. */
function readSender(text: string) {
  const [, quoted, plain = '', address = text] =
    /^(?:"([^"]*)"|([^"<>]*))\s*<([^<>]+)>$/.exec(text) ?? [];
  return { name: (quoted ?? plain).trim(), address };
}

/** An address, or one with a port: `[::1]:53`. */
function isNameServer(text: string): boolean {
  const [, bracketed, plain, port = '53'] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress =
    ipaddr.IPv6.isValid(bracketed ?? text) || ipaddr.IPv4.isValidFourPartDecimal(plain ?? '');
  return isAddress && Number(port) >= 1 && Number(port) <= maxPort;
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isReplicaUrl(text: string): boolean {
  return isPostgresUrl(text) && readDatabaseUrl(text).servers.length === 1;
}

function isPublicUrl(text: string): boolean {
  return isWebUrl(text) && new URL(text).origin === text.replace(/\/$/, '');
}

/** By default https where the domain is one of the internet, and the gateway's own port elsewhere. */
function publicUrl(read: {
  PUBLIC_URL?: string | undefined;
  DOMAIN: string;
  PORT: number;
  TLS_CERT?: string | undefined;
}): { scheme: string; port: string; isGiven: boolean } {
  const { PUBLIC_URL: given, DOMAIN: domain, PORT: port, TLS_CERT: cert } = read;
  const isLocal = domain === 'localhost' || domain.endsWith('.localhost');
  const byDefault = isLocal
    ? `${cert === undefined ? 'http' : 'https'}://${domain}:${port}`
    : `https://${domain}`;
  const url = new URL(given ?? byDefault);
  return { scheme: url.protocol, port: url.port, isGiven: given !== undefined };
}

const formationEntry = new RegExp(`^(${processKinds.join('|')})=(\\d+)$`);

/** How many processes each kind has; -1 for an entry that is wrong. */
type Formation = readonly (readonly [kind: string, count: number])[];

function readFormation(text: string): Formation {
  return commaList(text).map((entry) => {
    const [, kind = '', count = '-1'] = formationEntry.exec(entry) ?? [];
    return [kind, Number(count)];
  });
}

function isFormation(entries: Formation): boolean {
  const counts = new Map(entries);
  const isRight = (count: number) => count >= 0 && count <= maxProcessesOfAKind;
  const isAny = entries.some(([, count]) => count > 0);
  return isAny && counts.size === entries.length && [...counts.values()].every(isRight);
}

/** A text that may be missing. @param allowed what it must be, in words */
function optional(isRight: (text: string) => boolean, allowed: string) {
  return v.optional(v.pipe(v.string(), v.check(isRight, allowed)));
}

const path = v.optional(v.string());

const databaseUrl = optional(
  isPostgresUrl,
  'must be a URL such as postgres://name:password@host:5432/database',
);

/** The variables of the environment by their names, with what each allows. */
export const variables = v.object({
  PORT: integer(8080, 1, maxPort),
  OPS_PORT: v.optional(wholeNumber(1, maxPort)),
  DOMAIN: v.pipe(
    v.optional(v.string(), 'localhost'),
    v.toLowerCase(),
    v.check(
      (name) => name.length <= maxDomainLength && hostname.test(name),
      'must be a host name such as menu.example.com',
    ),
  ),
  DATABASE_URL: databaseUrl,
  DATABASE_SESSION_URL: databaseUrl,
  DATABASE_REPLICA_URL: optional(
    isReplicaUrl,
    'must be the URL of one Postgres, postgres://… with a single host',
  ),
  DATA_DIR: v.optional(v.string(), '.data'),
  TRUSTED_PROXIES: v.pipe(
    v.optional(v.string(), ''),
    v.transform(commaList),
    v.check(
      (entries) => entries.every(isAddressOrCidr),
      'must be a comma-separated list of addresses or CIDR ranges such as 10.0.0.0/8',
    ),
    v.transform((entries) => entries.map(toCidr)),
    v.check(
      (entries) => !entries.some((entry) => entry.endsWith('/0')),
      'must not hold every address, for then any client could name itself another one',
    ),
  ),
  TLS_CERT: path,
  TLS_KEY: path,
  LIMIT_PUBLIC: integer(120, 1, maxLimit),
  LIMIT_ADMIN: integer(30, 1, maxLimit),
  LIMIT_ANALYTICS: integer(300, 1, maxLimit),
  LIMIT_PLATFORM: integer(300, 1, maxLimit),
  EVENTS_PER_DAY: integer(200_000, 1, maxLimit),
  SMTP_URL: optional(isSmtpUrl, 'must be a URL such as smtps://name:password@mail.example.com:465'),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.transform(readSender),
      v.object({
        name: v.string(),
        address: v.pipe(
          v.string(),
          v.rfcEmail('must be an address such as menu@example.com or Menu <menu@example.com>'),
        ),
      }),
    ),
  ),
  PLATFORM_TOKEN: optional(
    (text) => /^[!-~]{32,256}$/.test(text),
    'must be 32 to 256 visible ASCII characters',
  ),
  DRAIN_SECONDS: integer(0, 0, 3_600),
  // Allergens and sold-out dishes must not be older, even where no purge arrives.
  PUBLIC_CACHE_SECONDS: integer(0, 0, 60),
  PURGE_URL: optional(isWebUrl, 'must be a URL such as http://127.0.0.1:6081/.purge'),
  PURGE_HEADER: optional(
    (text) => /^[\w-]+: *[ -~]+$/.test(text),
    'must be a header line such as Authorization: Bearer …',
  ),
  SNAPSHOT_CACHE_MB: integer(256, 8),
  PHOTOS_MB: integer(200, 1, 100_000),
  MEDIA_CACHE_MB: integer(64, 1),
  PUBLIC_URL: optional(
    isPublicUrl,
    'must be a scheme with host and port such as https://menu.example.com',
  ),
  DNS_SERVERS: v.pipe(
    v.optional(v.string(), ''),
    v.transform(commaList),
    v.check(
      (servers) => servers.every(isNameServer),
      'must be a comma-separated list of addresses, each with or without a port, such as 9.9.9.9',
    ),
  ),
  STREAMS_MAX: v.optional(wholeNumber(0, maxStreams)),
  // Events may still arrive for days that are as old as this.
  ANALYTICS_RETENTION_DAYS: integer(400, constants.eventIdDays, 36_500),
  HISTORY_DAYS: integer(400, 1, 36_500),
  WEBHOOKS_PRIVATE: v.optional(v.picklist(['0', '1'], 'must be 0 or 1'), '0'),
  LOOK_AT_PICTURES: v.optional(v.picklist(['0', '1'], 'must be 0 or 1'), '0'),
  LOG_LEVEL: v.optional(v.picklist(logLevels, `must be one of ${logLevels.join(', ')}`), 'info'),
  FORMATION: v.pipe(
    v.optional(v.string(), 'gateway=1,worker=1'),
    v.transform(readFormation),
    v.check(
      isFormation,
      `must name gateway and worker once with 0 to ${maxProcessesOfAKind} each, not both 0, ` +
        'such as gateway=2,worker=1',
    ),
    // A kind that it does not name gets no process.
    v.transform((entries): Record<ProcessKind, number> => {
      return { gateway: 0, worker: 0, ...Object.fromEntries(entries) };
    }),
  ),
});

const defaultOpsPort = 9090;
/** How far a process's own OPS_PORT is from the PORT that a runner gave it; 8080 leads to 9090. */
const opsPortDistance = 1_010;
/** In which foreman and overmind, `nf`, honcho and Heroku name a process of a Procfile: `gateway.1`. */
const runnerVariables = ['PS', 'FOREMAN_WORKER_NAME', 'HONCHO_PROCESS_NAME', 'DYNO'];

/**
 * A runner of a Procfile gives each process a PORT of its own, and knows no OPS_PORT: without one of
 * their own all of its processes would want the same.
 */
function opsPortOf(given: Record<string, string | undefined>, port: number): number {
  const kinds = processKinds.join('|');
  const named = new RegExp(`^(${kinds})[.-]\\d+$`);
  if (!runnerVariables.some((name) => named.test(given[name] ?? ''))) return defaultOpsPort;
  if (port + opsPortDistance <= maxPort) return port + opsPortDistance;
  throw new ConfigError(`OPS_PORT must be set: PORT ${port} leaves no room for it above.`);
}

const SECRETS = ['SMTP_URL', 'PLATFORM_TOKEN', 'PURGE_URL', 'PURGE_HEADER'];

/** A URL may carry a password, so its value is never repeated, nor that of a secret. */
function sentence(name: string, value: unknown, allowed: string): string {
  return name.startsWith('DATABASE_') || SECRETS.includes(name)
    ? `${name} ${allowed}.`
    : `${name} ${allowed}; it is ${JSON.stringify(value)}.`;
}

/** Both files of TLS, or neither. */
function pair(cert: string | undefined, key: string | undefined, cwd: string) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY'];
    throw new ConfigError(`${given} is set without ${missing}; TLS needs both.`);
  }
  return { cert: resolve(cwd, cert), key: resolve(cwd, key) };
}

/**
 * Reads the whole environment, once. An empty value counts as unset; `DATA_DIR`, `TLS_CERT` and
 * `TLS_KEY` are taken from `cwd`.
 *
 * @throws {ConfigError} naming every bad variable and what it allows.
 */
export function readConfig(env: NodeJS.ProcessEnv, cwd: string = process.cwd()) {
  const given = Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = v.safeParse(variables, given);
  if (!result.success) {
    const lines = result.issues.map((issue) => {
      const name = String(issue.path?.[0]?.key);
      return sentence(name, given[name], issue.message);
    });
    throw new ConfigError(lines.join('\n'));
  }
  const read = result.output;
  if (read.DATABASE_SESSION_URL !== undefined && read.DATABASE_URL === undefined) {
    throw new ConfigError('DATABASE_SESSION_URL is set without DATABASE_URL.');
  }
  return {
    port: read.PORT,
    opsPort: read.OPS_PORT ?? opsPortOf(given, read.PORT),
    domain: read.DOMAIN,
    databaseUrl: read.DATABASE_URL,
    /**
     * The same database for what needs a session: LISTEN, prepared statements and locks that outlive
     * a transaction. Another URL than `databaseUrl` says that that one may lead to a pooler without
     * sessions.
     */
    databaseSessionUrl: read.DATABASE_SESSION_URL ?? read.DATABASE_URL,
    /** A standby from which gateways may read snapshots. */
    databaseReplicaUrl: read.DATABASE_REPLICA_URL,
    dataDir: resolve(cwd, read.DATA_DIR),
    trustedProxies: read.TRUSTED_PROXIES,
    /** The files of the certificate, with its chain, and of its key; undefined for plain HTTP. */
    tls: pair(read.TLS_CERT, read.TLS_KEY, cwd),
    /** Requests a minute. */
    limitPublic: read.LIMIT_PUBLIC,
    limitAdmin: read.LIMIT_ADMIN,
    limitAnalytics: read.LIMIT_ANALYTICS,
    /** Of one address, at the platform's API. */
    limitPlatform: read.LIMIT_PLATFORM,
    /** Events of one restaurant on one day, in UTC. */
    eventsPerDay: read.EVENTS_PER_DAY,
    /** The mail server; undefined: no mail is sent. */
    smtpUrl: read.SMTP_URL,
    /** Without a name a mail has that of its restaurant. */
    mailFrom: read.MAIL_FROM ?? { name: '', address: `lavagna@${read.DOMAIN}` },
    /** With it operators call the platform's API; undefined: there is none. */
    platformToken: read.PLATFORM_TOKEN,
    /** How long a gateway that stops is unready and still takes connections. */
    drainSeconds: read.DRAIN_SECONDS,
    /** How long caches of the operator's may keep public answers; 0: they are told nothing. */
    publicCacheSeconds: read.PUBLIC_CACHE_SECONDS,
    /** Where caches are told of new versions, and a header line for it; undefined: nowhere. */
    purgeUrl: read.PURGE_URL,
    purgeHeader: read.PURGE_HEADER,
    /** In MiB. */
    snapshotCacheMb: read.SNAPSHOT_CACHE_MB,
    /** Room for the photos of one restaurant, in MiB. */
    photosMb: read.PHOTOS_MB,
    /** Memory of a gateway for photos, in MiB. */
    mediaCacheMb: read.MEDIA_CACHE_MB,
    /** Scheme and port under which guests reach the restaurants of `domain`. */
    publicUrl: publicUrl(read),
    /** Name servers that are asked for TXT records; none: those of the system. */
    dnsServers: read.DNS_SERVERS,
    /** Streams that one gateway holds open; undefined: what its limit of open files leaves. */
    streamsMax: read.STREAMS_MAX,
    /** How long raw events are kept, in days; roll-ups stay. */
    analyticsRetentionDays: read.ANALYTICS_RETENTION_DAYS,
    /** How long the history of menus is kept, in days; the present version’s entry stays. */
    historyDays: read.HISTORY_DAYS,
    /** Whether receivers of webhooks may be at private addresses. */
    webhooksPrivate: read.WEBHOOKS_PRIVATE === '1',
    /** Whether workers look at pictures of other sites that restaurants show. */
    looksAtPictures: read.LOOK_AT_PICTURES === '1',
    logLevel: read.LOG_LEVEL,
    formation: read.FORMATION,
  };
}

/** Everything the environment decides. */
export type Config = ReturnType<typeof readConfig>;

export type ProcessConfig = Config & { databaseUrl: string; databaseSessionUrl: string };
