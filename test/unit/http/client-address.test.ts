import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressOfBytes,
  addressOfText,
  addressText,
  createClientAddresses,
} from '../../../gateway/http/client-address.ts';

const NONE = new ArrayBuffer(0);
const bytes = (...values: number[]) => new Uint8Array(values).buffer;
const address = (text: string) => {
  const key = addressOfText(text);
  assert.notEqual(key, undefined, text);
  return key as NonNullable<typeof key>;
};

test('an address is one key however it is written', () => {
  const mapped = bytes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 203, 0, 113, 9);
  for (const key of [
    addressOfBytes(bytes(203, 0, 113, 9)),
    addressOfBytes(mapped),
    address('203.0.113.9'),
    address('203.0.113.9:4711'),
    address('::ffff:203.0.113.9'),
    address('[::FFFF:cb00:7109]:80'),
  ]) {
    assert.equal(addressText(key), '203.0.113.9');
    assert.equal(key, address('203.0.113.9'));
  }
  assert.equal(address('2001:DB8:0:0:0:0:0:1'), address('[2001:db8::1]:443'));
  assert.equal(addressText(address('2001:DB8::1')), '2001:db8::1');
  assert.notEqual(address('2001:db8::1'), address('2001:db8::2'));
});

test('what is no address is none', () => {
  for (const text of ['', 'unknown', '1.2.3', '1.2.3.256', '1.2.3.4.5', 'fe80::1%eth0', '::g']) {
    assert.equal(addressOfText(text), undefined, text);
  }
});

test('without trusted proxies no peer speaks for others', () => {
  const { isProxy } = createClientAddresses([]);
  assert.equal(isProxy(address('127.0.0.1')), false);
  assert.equal(isProxy(address('::1')), false);
});

test('ranges are those of CIDR', () => {
  const { isProxy } = createClientAddresses(['10.1.0.0/16', '192.0.2.7/32', '2001:db8::/32']);
  const trusted = ['10.1.0.0', '10.1.255.255', '192.0.2.7', '2001:db8:ffff::1'];
  const others = ['10.2.0.0', '10.0.255.255', '192.0.2.8', '2001:db9::1', '138.1.0.1'];
  for (const text of trusted) assert.ok(isProxy(address(text)), text);
  for (const text of others) assert.ok(!isProxy(address(text)), text);
  assert.ok(createClientAddresses(['0.0.0.0/0']).isProxy(address('200.1.1.1')));
  assert.ok(!createClientAddresses(['0.0.0.0/0']).isProxy(address('2001:db8::1')));
});

const { find } = createClientAddresses(['10.0.0.0/8']);
const proxy = address('10.0.0.1');
const chains: [forwardedFor: string, client: string, why: string][] = [
  ['', '10.0.0.1', 'nothing is forwarded'],
  ['203.0.113.9', '203.0.113.9', 'one hop'],
  ['203.0.113.9, 10.0.0.2', '203.0.113.9', 'two proxies of ours'],
  ['1.1.1.1, 203.0.113.9', '203.0.113.9', 'the client wrote the first entry itself'],
  ['10.0.0.3, 203.0.113.9,10.0.0.2', '203.0.113.9', 'the client claims to be a proxy'],
  ['10.0.0.3, 10.0.0.2', '10.0.0.3', 'all hops are ours'],
  ['203.0.113.9, nonsense', '10.0.0.1', 'the last entry cannot be read'],
  ['203.0.113.9, nonsense, 10.0.0.2', '10.0.0.2', 'an entry cannot be read'],
  ['203.0.113.9,', '10.0.0.1', 'the last entry is empty'],
  ['2001:db8::1', '2001:db8::1', 'IPv6'],
  ['::ffff:203.0.113.9', '203.0.113.9', 'IPv4 inside IPv6'],
];

for (const [forwardedFor, client, why] of chains) {
  test(`behind a proxy, "${forwardedFor}" is ${client}: ${why}`, () => {
    assert.equal(addressText(find(proxy, NONE, forwardedFor)), client);
  });
}

test('the PROXY protocol names the other end of the proxy', () => {
  assert.equal(addressText(find(proxy, bytes(203, 0, 113, 9), '1.1.1.1')), '203.0.113.9');
  assert.equal(addressText(find(proxy, bytes(10, 0, 0, 5), '1.1.1.1')), '1.1.1.1');
});
