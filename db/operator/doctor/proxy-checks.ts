import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createPgClient } from '../../postgres/pg-client.ts';
import type { Db } from '../../postgres/sql.ts';
import type { Config } from '../../runtime/config.ts';
import { constants } from '../../runtime/constants.ts';
import { listRecentClients } from '../../sql/limit-windows.ts';
import { openTransaction } from '../../sql/transactions.ts';
import { bad, type Check, doubtful, good } from './check.ts';

/** Longer prefixes hold no more than a provider's own network; a shorter one trusts strangers, too. */
const SHORT_PREFIX = { ipv4: 16, ipv6: 32 };
/** Addresses that an answer names. */
const MOST_NAMED = 3;
const PROXIES = 'proxies';

const kindOf = (address: string) => ipaddr.parse(address).kind();
const isPublic = (address: string) => ipaddr.process(address).range() === 'unicast';

/** The ranges that hold many public addresses, whose owners could name themselves other clients. */
function wideRanges(ranges: readonly string[]): string[] {
  return ranges.filter((range) => {
    const [address = '', bits] = range.split('/');
    return isPublic(address) && Number(bits) < SHORT_PREFIX[kindOf(address)];
  });
}

function holds(ranges: readonly string[], client: string): boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), kindOf(address));
  }
  return list.check(client, kindOf(client));
}

/**
 * Whether gateways know their clients: behind a proxy that they do not trust, all guests have its
 * address, and share one limit.
 */
export async function checkProxies(
  db: Db,
  { trustedProxies: ranges, domain }: Pick<Config, 'trustedProxies' | 'domain'>,
): Promise<Check> {
  const wide = wideRanges(ranges);
  if (wide.length > 0) {
    const found = `TRUSTED_PROXIES trusts ${wide.join(', ')}, with public addresses of others.`;
    return doubtful(PROXIES, found, 'Name the addresses of your proxies alone.');
  }
  const trusted =
    ranges.length === 0 ? 'TRUSTED_PROXIES is empty' : `It trusts ${ranges.join(', ')}`;
  const clients = await listRecentClients(db, constants.maxPerPage);
  if (clients.length === 0) return good(PROXIES, `${trusted}; no client has asked of late.`);
  const isLocal = domain === 'localhost' || domain.endsWith('.localhost');
  if (isLocal || clients.some(isPublic)) {
    return good(PROXIES, `${trusted}; ${clients.length} clients have asked of late.`);
  }
  const named = clients.slice(0, MOST_NAMED).join(', ');
  if (clients.every((client) => holds(ranges, client))) {
    const found = `All requests of late come from proxies that name no client: ${named}.`;
    return doubtful(PROXIES, found, 'Let the proxy set X-Forwarded-For, as DEPLOY shows.');
  }
  return doubtful(
    PROXIES,
    `${trusted}; all requests of late come from private addresses: ${named}.`,
    'Is that your proxy? Then add it to TRUSTED_PROXIES: without it all guests share one limit.',
  );
}

/** How long the pooler may take to let one more transaction in, in ms. */
const PATIENCE = 2_000;

/**
 * How many transactions a pooler lets go on at the same time. One that waits for another would let a
 * gateway wait for itself.
 */
export async function checkPool(url: string): Promise<Check> {
  const wanted = constants.gatewayConnections;
  const settings = { connectionTimeoutMillis: PATIENCE, query_timeout: PATIENCE };
  const opened = Array.from({ length: wanted }, () => createPgClient(url, settings));
  const begin = async ({ client, db }: (typeof opened)[number]) => {
    await client.connect();
    await openTransaction(db);
  };
  const begun = await Promise.allSettled(opened.map(begin));
  await Promise.all(opened.map(({ close }) => close()));
  const count = begun.filter(({ status }) => status === 'fulfilled').length;
  const found = `The pooler of DATABASE_URL lets ${count} of ${wanted} transactions go on at a time.`;
  if (count === wanted) return good('pool', found);
  const advice = 'Raise its pool (default_pool_size of PgBouncer) to 20 or more.';
  return count <= 1 ? bad('pool', found, advice) : doubtful('pool', found, advice);
}
