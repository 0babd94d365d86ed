// Statements that change a restaurant's rows name the restaurant.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files, read, sources } from './support/sources.ts';

const migrationFiles = files.filter((file) => /^db\/migrations\/\d+\w*\.sql$/.test(file));
const migrations = migrationFiles.map(read);

/** The tables whose rows belong to one restaurant. */
const tables = new Set(
  migrations.flatMap((text) =>
    Array.from(text.matchAll(/create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)/g))
      .filter(([, , columns = '']) => /^ {2}tenant_id /m.test(columns))
      .map(([, name = '']) => name),
  ),
);

/** Statements over all restaurants, by file and the name of their function, each with its reason. */
const OVER_ALL: Record<string, string> = {
  'db/sql/photos.ts notePhotoUse':
    'housekeeping; each look-up of a use names the photo’s restaurant',
  'db/sql/retention.ts forgetSessions': 'housekeeping by age',
  'db/sql/webhook-turns.ts wakeForgottenWebhooks':
    'housekeeping; each look-up of a message names the webhook’s restaurant',
};

/** Unique indexes over all restaurants, with their reasons. */
const UNIQUE_OVER_ALL: Record<string, string> = {
  hosts_by_name: 'a host that is served is one restaurant’s alone',
};

/** A statement on a table: the function that has it, and its text from the table's name on. */
interface Found {
  name: string;
  table: string;
  text: string;
}

/** The text from a place on, to the end of the template that the place is in. */
function restOfTemplate(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (text[at] === '}' && depth > 0) depth -= 1;
    else if (text[at] === '`' && depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}

function find(pattern: RegExp): Found[] {
  return sources
    .filter((file) => file.startsWith('db/sql/'))
    .flatMap((file) => {
      const text = read(file);
      return Array.from(text.matchAll(pattern), (match) => {
        const { 0: whole, index, 1: table = '' } = match;
        const before = text.slice(0, index);
        // The tag of a template is no part of it.
        const begin = whole.endsWith('`') ? index + whole.length : index;
        const [name = ''] = [...before.matchAll(/\bfunction (\w+)|^(?:export )?const (\w+)/gm)]
          .map(([, named, constant]) => named ?? constant)
          .slice(-1);
        return { name: `${file} ${name}`, table, text: restOfTemplate(text, begin) };
      });
    });
}

const isAllowed = ({ name }: Found) => name in OVER_ALL;

test('each update and delete of a restaurant’s table names the restaurant', () => {
  const found = find(/\b(?:update|delete from) (\w+)/g).filter(({ table }) => tables.has(table));
  assert.ok(found.length > 50);
  const bare = found.filter((one) => !isAllowed(one) && !/tenant_?id/i.test(one.text));
  assert.deepEqual(
    bare.map(({ name, table }) => `${name}: ${table}`),
    [],
  );
});

test('each "on conflict" of a restaurant’s table names the restaurant', () => {
  const found = find(/\binsert into (\w+)/g).filter(({ table }) => tables.has(table));
  assert.ok(found.length > 30);
  const bare = found.filter((one) => {
    const [, named] = /on conflict( \([^)]*)?/.exec(one.text) ?? [];
    const isBare = /on conflict/.test(one.text) && !/tenant_id|names/.test(named ?? '');
    return isBare && !isAllowed(one);
  });
  assert.deepEqual(
    bare.map(({ name, table }) => `${name}: ${table}`),
    [],
  );
});

test('each statement that finds a row by a hash or a secret names the restaurant', () => {
  const found = find(/\bfrom (\w+)/g).filter(({ table }) => tables.has(table));
  const secret = /\b(hash|secret|session_hash) = \$\{/;
  const bare = found.filter(({ text }) => secret.test(text) && !/tenant_?id/i.test(text));
  assert.deepEqual(
    bare.map(({ name, table }) => `${name}: ${table}`),
    [],
  );
});

test('no unique index of a restaurant’s table lets restaurants be in each other’s way', () => {
  const bare = migrations.flatMap((text) =>
    Array.from(text.matchAll(/create unique index (\w+) on (\w+) \((\w+)/g)).flatMap(
      ([, index = '', table = '', first]) =>
        tables.has(table) && first !== 'tenant_id' ? [index] : [],
    ),
  );
  assert.deepEqual(bare, Object.keys(UNIQUE_OVER_ALL));
});

test('each name in the list of exceptions is still a statement over all restaurants', () => {
  const names = new Set(
    find(/\b(?:update|delete from|insert into) (\w+)/g).map(({ name }) => name),
  );
  assert.deepEqual(
    Object.keys(OVER_ALL).filter((name) => !names.has(name)),
    [],
  );
});

/** The last migration whose tables have identities of four bytes. */
const LAST_OF_OLD = 'db/migrations/125';

test('identities of new tables are bigint', () => {
  const news = migrationFiles.filter((file) => file.slice(0, LAST_OF_OLD.length) > LAST_OF_OLD);
  const narrow = news.filter((file) =>
    /\b(?:integer|int|smallint|serial)\b[^,]*\bidentity\b|\bserial\b/.test(read(file)),
  );
  assert.ok(news.length > 0);
  assert.deepEqual(narrow, []);
});

/** Tables of restaurants, and the table of restaurants itself. */
const TOUCHED = new RegExp(
  `\\b(?:from|join|into|update|using) (?:tenants|${[...tables].join('|')})\\b`,
);
/** The value of one restaurant that a statement is sent with. */
const ONE =
  /\$\{(?:\w+\(tenantId|(?:\w+\.)?(?:tenantId|tenant_id|slug|id|tenant\.slug|branchId|masterId)\})/;

/** Functions of `db/sql/` whose statements name several restaurants or none, by the reason. */
const NOT_OF_ONE: Record<string, readonly string[]> = {
  'several restaurants, each named by its key in a batch': [
    'db/sql/clock.ts foreseeNextChanges',
    'db/sql/counts.ts addCounts',
    'db/sql/counts.ts addEmptySearches',
    'db/sql/events.ts storeEvents',
    'db/sql/events.ts rememberEventIds',
    'db/sql/events.ts findKnownRecords',
    'db/sql/events.ts findStored',
    'db/sql/events.ts store',
    'db/sql/history.ts saveEntries',
    'db/sql/hosts.ts findHostPlaces',
    'db/sql/limit-windows.ts countStatement',
    'db/sql/releases.ts lockOpenReleases',
    'db/sql/releases.ts findUnchecked',
    'db/sql/screens.ts recordScreenContacts',
    'db/sql/snapshots.ts findBuiltAt',
    'db/sql/snapshots.ts findSnapshots',
    'db/sql/snapshots.ts findHeads',
    'db/sql/snapshots.ts finalStatement',
    'db/sql/stale-texts.ts saveStaleStatement',
    'db/sql/tenants.ts findPresentTenants',
    'db/sql/tenants.ts lockTenants',
    'db/sql/tenants.ts copyTenant',
    'db/sql/tokens.ts findTokens',
    'db/sql/tokens.ts recordTokenUses',
    'db/sql/usage.ts addRequests',
    'db/sql/versions.ts findVersions',
    // A chain's master and one of its branches.
    'db/sql/photos.ts copyFiles',
    // A person of a chain's master, in its branches.
    'db/sql/visits.ts deleteVisits',
    'db/sql/visits.ts endVisits',
    'db/sql/versions.ts findVersionsOf',
    'db/sql/versions.ts findBuiltVersions',
    'db/sql/writes.ts freeKeys',
    'db/sql/writes.ts insertWrites',
    'db/sql/writes.ts takeWrites',
    'db/sql/writes.ts saveResultsStatement',
    'db/sql/writes.ts findWriteResults',
  ],
  'a look or housekeeping over all restaurants': [
    'db/sql/clock.ts findDueTenants',
    'db/sql/clock.ts findDueSoon',
    'db/sql/clock.ts findClockLate',
    'db/sql/foreign-pictures.ts takePictures',
    'db/sql/jobs.ts findWritesWithoutJob',
    'db/sql/limit-windows.ts clearEndedWindows',
    'db/sql/photos.ts notePhotoUse',
    'db/sql/photos.ts findUnusedPhotos',
    'db/sql/purges.ts takeStaleMenus',
    'db/sql/retention.ts forgetSessions',
    'db/sql/retention.ts forgetWrites',
    'db/sql/retention.ts forgetVersions',
    'db/sql/snapshots.ts findOutdatedTenants',
    'db/sql/snapshots.ts claimMenusToCool',
    'db/sql/webhook-turns.ts takeWebhook',
    'db/sql/webhook-turns.ts wakeForgottenWebhooks',
    'db/sql/webhooks.ts findWebhooksBehind',
    'db/sql/webhooks.ts removeOldDeliveries',
  ],
  'an answer for the operator of all restaurants': [
    'db/sql/limit-windows.ts listRecentClients',
    'db/sql/restaurants.ts countRestaurants',
    'db/sql/tenants.ts listTenants',
  ],
  'a fragment of it names the restaurant, or a page of them for the operator': [
    'db/sql/usage.ts usage',
    'db/sql/usage.ts listUsageDays',
  ],
};

test('each statement of restaurants’ rows names one restaurant, but for those that are listed', () => {
  const found = find(/\bsql\.(?:nothing|(?:type|value|prepared)\(.*\))`/g).filter(({ text }) =>
    TOUCHED.test(text),
  );
  assert.ok(found.length > 150);
  const unnamed = new Set(found.filter(({ text }) => !ONE.test(text)).map(({ name }) => name));
  assert.deepEqual(unnamed, new Set(Object.values(NOT_OF_ONE).flat()));
});
