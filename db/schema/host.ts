import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import * as v from 'valibot';
import { described } from './validation/described-as.ts';

/** Random bytes in the TXT record that proves a name. */
const HOST_PROOF_BYTES = 18;

// Host names of restaurants.

/** DNS allows no longer name; the TXT record stands below it. */
const MAX_HOST = 253;
const LABEL = '(?!-)[a-z0-9-]{1,63}(?<!-)';
const HOST = new RegExp(`^(${LABEL}\\.)+(?!\\d+$)${LABEL}$`);
const RECORD = '_lavagna';

/** The name as DNS knows it: in lower case, letters of other scripts in Punycode. */
function normalHost(given: string): string {
  return domainToASCII(given.trim().replace(/\.$/, '')).toLowerCase();
}

/** Whether a text is a host name with a dot, and no address. */
export function isHostName(name: string): boolean {
  return name.length + RECORD.length < MAX_HOST && HOST.test(name) && isIP(name) === 0;
}

/** A host name with a dot, such as `menu.trattoria.example`. */
const hostNameField = v.pipe(
  v.string('string'),
  v.transform(normalHost),
  v.check(isHostName, 'format'),
  v.description('The host name, such as `menu.trattoria.example`: no address, and no port.'),
);

/** The body that asks for a host. */
export const hostInput = v.object({ name: hostNameField });

const recordSchema = v.object({
  name: described(v.string(), 'Where the record stands.'),
  type: described(v.literal('TXT'), 'The type of the record.'),
  value: described(v.string(), 'Its text.'),
});

/** A host as the API shows it. */
export const hostSchema = v.object({
  id: v.number(),
  name: described(v.string(), 'The host name, in Punycode where it needs it.'),
  state: described(
    v.picklist(['pending', 'verified']),
    '`pending`: the record was not seen yet, and nothing is served there.',
  ),
  is_main: described(
    v.boolean(),
    'Whether links name this host: the verified one that was verified first.',
  ),
  record: described(
    v.nullable(recordSchema),
    'The DNS record that proves whose name it is; null: the operator has set it.',
  ),
  verified_at: described(v.nullable(v.string()), 'Since when it is served.'),
  created_at: described(v.string(), 'When it was asked for.'),
});
export type ShownHost = v.InferOutput<typeof hostSchema>;

/** A new text for the record of a name. */
export function makeProof(): string {
  return randomBytes(HOST_PROOF_BYTES).toString('base64url');
}

export function proofRecord(name: string, proof: string): v.InferOutput<typeof recordSchema> {
  return { name: `${RECORD}.${name}`, type: 'TXT', value: `lavagna=${proof}` };
}

/** The longest label that a host name can have (RFC 1035, 2.3.4), in characters. */
export const MAX_SLUG = 63;

const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Whether a text can be a tenant's slug: a label of its host name, in lower case. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG && SLUG.test(text);
}

/** A restaurant's slug in a body. */
export const slugInput = v.pipe(
  v.string('string'),
  v.trim(),
  v.toLowerCase(),
  v.check(isSlug, 'format'),
  v.description('The label of its host: letters, digits and hyphens.'),
);
