import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFreshness } from '../../../gateway/snapshots/freshness.ts';
import type { LoadedSnapshot, Tenant } from '../../../gateway/snapshots/loaded-snapshot.ts';

/** A tenant of whose menu one snapshot is in memory. */
function createTenant(version: number) {
  const snapshot = { version } as LoadedSnapshot;
  return { tenant: { snapshots: new Map([['it', snapshot]]) } as unknown as Tenant, snapshot };
}

test('a version that is announced makes a menu stale, and current once it is in memory', () => {
  const freshness = createFreshness();
  const { tenant, snapshot } = createTenant(5);
  freshness.announce(tenant, 5);
  assert.equal(freshness.state(tenant), 'current');
  freshness.announce(tenant, 6);
  assert.equal(freshness.state(tenant), 'stale');
  assert.equal(freshness.start(tenant), 6);
  assert.equal(freshness.state(tenant), 'refreshing');
  snapshot.version = 6;
  assert.equal(freshness.finish(tenant, 'read'), 'current');
  assert.deepEqual([...freshness.tenants()], []);
});

test('a reading that failed, or came too early, rests before the next one', () => {
  for (const outcome of ['failed', 'read'] as const) {
    const freshness = createFreshness();
    const { tenant } = createTenant(5);
    freshness.announce(tenant, 6);
    freshness.start(tenant);
    assert.equal(freshness.finish(tenant, outcome), 'pausing');
    assert.equal(freshness.start(tenant), null);
    freshness.endPauses();
    assert.equal(freshness.start(tenant), 6);
  }
});

test('a version that is announced during a reading is read next', () => {
  const freshness = createFreshness();
  const { tenant, snapshot } = createTenant(5);
  freshness.announce(tenant, 6);
  freshness.start(tenant);
  freshness.announce(tenant, 7);
  snapshot.version = 6;
  assert.equal(freshness.finish(tenant, 'read'), 'stale');
  assert.equal(freshness.start(tenant), 7);
});

test('a version in another format is not read again until another one is announced', () => {
  const freshness = createFreshness();
  const { tenant } = createTenant(5);
  freshness.announce(tenant, 6);
  freshness.start(tenant);
  assert.equal(freshness.finish(tenant, 'unreadable'), 'current');
});

test('no version of a lost history is waited for', () => {
  const freshness = createFreshness();
  const [waiting, reading] = [createTenant(5), createTenant(5)];
  for (const { tenant } of [waiting, reading]) freshness.announce(tenant, 9);
  freshness.start(reading.tenant);
  freshness.forgetAnnounced();
  assert.equal(freshness.state(waiting.tenant), 'current');
  assert.equal(freshness.finish(reading.tenant, 'read'), 'current');
});

test('a reading that was not begun cannot end', () => {
  const { tenant } = createTenant(5);
  assert.throws(() => createFreshness().finish(tenant, 'read'), /has an entry/);
  const freshness = createFreshness();
  freshness.announce(tenant, 6);
  assert.throws(() => freshness.finish(tenant, 'failed'), /a stale menu cannot be/);
});

test('whatever happens in which order, the newest announced version is reached in the end', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('announce'), version: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ kind: fc.constantFrom('start', 'rest', 'fail', 'arrive', 'lag', 'evict') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const freshness = createFreshness();
      const { tenant, snapshot } = createTenant(1);
      let [newest, sought] = [1, 0];
      const act = (kind: string, version = 0) => {
        if (kind === 'announce') {
          newest = Math.max(newest, version);
          freshness.announce(tenant, version);
        }
        if (kind === 'start') sought = freshness.start(tenant) ?? sought;
        if (kind === 'rest') freshness.endPauses();
        if (kind === 'evict') tenant.snapshots.clear();
        if (freshness.state(tenant) !== 'refreshing') return;
        if (kind === 'arrive') snapshot.version = Math.max(snapshot.version, sought);
        if (kind === 'fail') freshness.finish(tenant, 'failed');
        if (kind === 'arrive' || kind === 'lag') freshness.finish(tenant, 'read');
      };
      for (const one of steps) act(one.kind, 'version' in one ? one.version : 0);
      for (let round = 0; round < 3; round += 1) {
        for (const kind of ['rest', 'start', 'arrive']) act(kind);
      }
      assert.equal(freshness.state(tenant), 'current');
      assert.ok(tenant.snapshots.size === 0 || snapshot.version === newest);
    }),
  );
});
