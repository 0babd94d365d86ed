import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig, variables } from '../../../db/runtime/config.ts';

test('an empty environment gives the documented defaults', () => {
  assert.deepEqual(readConfig({}, '/srv/lavagna'), {
    ...{ port: 8080, opsPort: 9090, domain: 'localhost', trustedProxies: [], tls: undefined },
    ...{ databaseUrl: undefined, databaseSessionUrl: undefined, databaseReplicaUrl: undefined },
    dataDir: '/srv/lavagna/.data',
    ...{ limitPlatform: 300, limitPublic: 120, limitAdmin: 30, limitAnalytics: 300 },
    ...{ eventsPerDay: 200_000, analyticsRetentionDays: 400, historyDays: 400 },
    ...{ smtpUrl: undefined, mailFrom: { name: '', address: 'lavagna@localhost' } },
    ...{ platformToken: undefined, drainSeconds: 0, streamsMax: undefined, dnsServers: [] },
    ...{ snapshotCacheMb: 256, photosMb: 200, mediaCacheMb: 64, publicCacheSeconds: 0 },
    publicUrl: { scheme: 'http:', port: '8080', isGiven: false },
    ...{ purgeHeader: undefined, purgeUrl: undefined, webhooksPrivate: false },
    ...{ looksAtPictures: false, logLevel: 'info', formation: { gateway: 1, worker: 1 } },
  });
});

test('the table of DEPLOY names every variable with its default', () => {
  const deploy = readFileSync(join(import.meta.dirname, '../../../gateway/DEPLOY.md'), 'utf8');
  const table = /\| variable \|.*?\n\n/s.exec(deploy)?.[0] ?? '';
  const documented = table.split('\n').flatMap((row) => {
    const [, names = '', defaults = ''] = row.split('|');
    const values = defaults.replaceAll('`', '').split(/, (?=\d)/);
    return Array.from(names.matchAll(/`(\w+)`/g), ([, name = ''], index) => {
      return [name, (values[index] ?? values[0] ?? '').trim()] as const;
    });
  });
  const names = new Set(documented.map(([name]) => name));
  assert.deepEqual(names, new Set(Object.keys(variables.entries)));
  const given = documented.filter(([, value]) => value !== '' && value !== 'DATABASE_URL');
  assert.deepEqual(readConfig(Object.fromEntries(given), '/'), readConfig({}, '/'));
});

test('MAIL_FROM may have a name, with or without quotation marks', () => {
  const senderOf = (given: string) => readConfig({ MAIL_FROM: given }, '/').mailFrom;
  const address = 'menu@trattoria.example';
  assert.deepEqual(senderOf(address), { name: '', address });
  assert.deepEqual(senderOf(`<${address}>`), { name: '', address });
  const name = 'Trattoria da Ada';
  assert.deepEqual(senderOf(`${name} <${address}>`), { name, address });
  assert.deepEqual(senderOf(`"Ada, Bea & Co." <${address}>`), { name: 'Ada, Bea & Co.', address });
});

test('under a runner of Procfiles each process has an OPS_PORT of its own, unless one is given', () => {
  const portsOf = (env: Record<string, string>) => readConfig(env, '/').opsPort;
  assert.equal(portsOf({ PORT: '5000', PS: 'gateway.1' }), 6_010);
  assert.equal(portsOf({ PORT: '5101', FOREMAN_WORKER_NAME: 'worker.2' }), 6_111);
  assert.equal(portsOf({ PORT: '5000', DYNO: 'gateway.1', OPS_PORT: '9091' }), 9_091);
  assert.equal(portsOf({ PORT: '5000', PS: 'bash' }), 9_090);
  assert.throws(() => portsOf({ PORT: '65000', PS: 'gateway.1' }), /^ConfigError: OPS_PORT must/);
});

test('an empty value counts as unset', () => {
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: ' ' }, '/'), readConfig({}, '/'));
});

test('given values are checked and put in their normal form', () => {
  const [databaseUrl, dataDir] = ['postgresql://me@db/lavagna', '/var/lib/lavagna'];
  const given = {
    ...{ PORT: '80', DOMAIN: 'Menu.Example.COM', DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::1,::ffff:10.1.0.0/112',
    ...{ FORMATION: 'gateway=4, worker=2', LOG_LEVEL: 'debug' },
  };
  const { port, domain, formation, trustedProxies, ...config } = readConfig(given, '/srv');
  assert.deepEqual([port, domain], [80, 'menu.example.com']);
  assert.deepEqual([config.databaseUrl, config.dataDir], [databaseUrl, dataDir]);
  const proxies = ['10.0.0.0/8', '192.0.2.7/32', '2001:db8::1/128', '10.1.0.0/16'];
  assert.deepEqual(trustedProxies, proxies);
  assert.deepEqual(formation, { gateway: 4, worker: 2 });
});

test('sessions are those of DATABASE_URL until DATABASE_SESSION_URL names another way', () => {
  const DATABASE_URL = 'postgres://me@pooler:6432/lavagna';
  const DATABASE_SESSION_URL = 'postgres://me@a,b/lavagna';
  assert.equal(readConfig({ DATABASE_URL }).databaseSessionUrl, DATABASE_URL);
  const config = readConfig({ DATABASE_URL, DATABASE_SESSION_URL });
  assert.equal(config.databaseUrl, DATABASE_URL);
  assert.equal(config.databaseSessionUrl, DATABASE_SESSION_URL);
  const message = /^DATABASE_SESSION_URL is set without DATABASE_URL\.$/;
  assert.throws(() => readConfig({ DATABASE_SESSION_URL }), { name: 'ConfigError', message });
});

test('TLS takes two files, from the working directory', () => {
  const { tls } = readConfig({ TLS_CERT: 'tls/cert.pem', TLS_KEY: '/etc/key.pem' }, '/srv');
  assert.deepEqual(tls, { cert: '/srv/tls/cert.pem', key: '/etc/key.pem' });
  assert.throws(() => readConfig({ TLS_CERT: 'cert.pem' }), /TLS_CERT is set without TLS_KEY/);
  assert.throws(() => readConfig({ TLS_KEY: 'key.pem' }), /TLS_KEY is set without TLS_CERT/);
});

test('a kind that the formation does not name gets no process', () => {
  assert.deepEqual(readConfig({ FORMATION: 'worker=3' }).formation, { gateway: 0, worker: 3 });
});

/** A host's name of so many characters, 128 to 191, in three labels. */
function domainOf(length: number): string {
  return [63, 63, length - 128].map((label) => 'a'.repeat(label)).join('.');
}

test('a domain leaves room for the longest name of a restaurant', () => {
  const domain = domainOf(189);
  assert.equal(readConfig({ DOMAIN: domain }).domain, domain);
  assert.equal(`${'r'.repeat(63)}.${domain}`.length, 253);
});

const bad: [name: string, value: string, allowed: RegExp][] = [
  ['PORT', '0', /whole number from 1 to 65535/],
  ['PORT', '80a', /whole number/],
  ['OPS_PORT', '70000', /whole number/],
  ['DOMAIN', 'menu_example', /host name/],
  ['DOMAIN', '-menu.example', /host name/],
  // With a restaurant's name and a dot before it, it would be longer than a host's name may be.
  ['DOMAIN', domainOf(190), /host name/],
  ['DATABASE_URL', 'mysql://db', /postgres:\/\//],
  ['DATABASE_URL', 'localhost', /postgres:\/\//],
  ['DATABASE_URL', 'postgres://a:5432,b:port/lavagna', /postgres:\/\//],
  ['DATABASE_SESSION_URL', 'localhost', /postgres:\/\//],
  ['DATABASE_REPLICA_URL', 'mysql://db', /URL of one Postgres/],
  ['DATABASE_REPLICA_URL', 'postgres://a,b/lavagna', /single host/],
  ['TRUSTED_PROXIES', '10.0.0.0/33', /CIDR/],
  ['TRUSTED_PROXIES', 'proxy', /CIDR/],
  ['TRUSTED_PROXIES', '127', /CIDR/],
  ['TRUSTED_PROXIES', '10/8', /CIDR/],
  ['TRUSTED_PROXIES', '192.168.1/24', /CIDR/],
  ['TRUSTED_PROXIES', '010.0.0.0/8', /CIDR/],
  ['TRUSTED_PROXIES', '10.0.0.0/8, 0.0.0.0/0', /must not hold every address/],
  ['TRUSTED_PROXIES', '::/0', /must not hold every address/],
  ['LIMIT_PUBLIC', '1000000001', /from 1 to 1000000000/],
  ['LIMIT_PUBLIC', '0', /from 1 to/],
  ['LIMIT_ADMIN', '1.5', /whole number/],
  ['LIMIT_ANALYTICS', '-3', /whole number/],
  ['SMTP_URL', 'mail.example.com', /SMTP_URL must be a URL such as smtps:/],
  ['MAIL_FROM', 'menu', /MAIL_FROM must be an address such as/],
  ['MAIL_FROM', 'Menu <menu>', /MAIL_FROM must be an address such as/],
  ['MAIL_FROM', 'Menu <a@b.example> <c@d.example>', /MAIL_FROM must be an address such as/],
  ['DRAIN_SECONDS', '-1', /from 0 to 3600/],
  ['EVENTS_PER_DAY', '0', /EVENTS_PER_DAY must be a whole number from 1 to 1000000000/],
  ['SNAPSHOT_CACHE_MB', '7', /at least 8/],
  ['STREAMS_MAX', '-1', /STREAMS_MAX must be a whole number from 0 to 1000000; it is "-1"/],
  ['ANALYTICS_RETENTION_DAYS', '8', /from 9 to 36500/],
  ['HISTORY_DAYS', '0', /from 1 to 36500/],
  ['LOG_LEVEL', 'loud', /one of fatal/],
  ['FORMATION', 'gateway', /gateway=2,worker=1/],
  ['FORMATION', 'cook=1', /gateway=2,worker=1/],
  ['FORMATION', 'gateway=0,worker=0', /not both 0/],
  ['FORMATION', 'gateway=65', /0 to 64/],
  ['FORMATION', 'gateway=1,gateway=2', /worker once/],
];

for (const [name, value, allowed] of bad) {
  test(`${name}=${value} is refused by one sentence that names it`, () => {
    const read = () => readConfig({ [name]: value });
    const message = new RegExp(`^${name} must [^\n]*\\.$`);
    assert.throws(read, { name: 'ConfigError', message });
    assert.throws(read, { message: allowed });
  });
}

test('every bad variable is named at once', () => {
  const message = /^PORT must .*\nLOG_LEVEL must .*$/;
  assert.throws(() => readConfig({ PORT: 'x', LOG_LEVEL: 'loud' }), { message });
});

test('a password in DATABASE_URL is not repeated', () => {
  const read = () => readConfig({ DATABASE_URL: 'http://me:secret@db' });
  assert.throws(read, { message: /^(?!.*secret)/s });
});
