import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

// Passkeys of the panel's users (WebAuthn), and what browsers have to sign with them.

const passkeySchema = v.object({
  id: v.string(),
  user_id: v.number(),
  public_key: v.instance(Buffer),
  counter: v.number(),
  transports: v.array(v.string()),
  name: v.string(),
  created_at: v.date(),
  last_used_at: v.nullable(v.date()),
});
export type Passkey = v.InferOutput<typeof passkeySchema>;

const columns = sql.columnsOf(passkeySchema);

/** A user's passkeys, the newest first. */
export function listPasskeys(db: Db, tenantId: number, userId: number) {
  return db.any(sql.type(passkeySchema)`
    select ${columns} from passkeys where tenant_id = ${tenantId} and user_id = ${userId}
    order by created_at desc, id
  `);
}

/** The tenant's passkey with this id, or null; it stays as it is until the transaction ends. */
export function lockPasskey(db: Db, tenantId: number, id: string): Promise<Passkey | null> {
  return db.maybeOne(sql.type(passkeySchema)`
    select ${columns} from passkeys where tenant_id = ${tenantId} and id = ${id} for update
  `);
}

type NewPasskey = Pick<
  Passkey,
  'id' | 'user_id' | 'public_key' | 'counter' | 'transports' | 'name'
>;

/** Stores a passkey; false when the tenant has one of this id. */
export function savePasskey(db: Db, tenantId: number, passkey: NewPasskey): Promise<boolean> {
  const { id, user_id, public_key, counter, transports, name } = passkey;
  return db.touches(sql.nothing`
    insert into passkeys (tenant_id, id, user_id, public_key, counter, transports, name)
    values (${tenantId}, ${id}, ${user_id}, ${sql.binary(public_key)}, ${counter},
      ${sql.array([...transports], 'text')}, ${name})
    on conflict (tenant_id, id) do nothing
  `);
}

/** Notes that a passkey was used, with the number of uses that its device counts. */
export async function notePasskeyUse(db: Db, tenantId: number, id: string, counter: number) {
  await db.run(sql.nothing`
    update passkeys set counter = ${counter}, last_used_at = now()
    where tenant_id = ${tenantId} and id = ${id}
  `);
}

/** Deletes one of a user's passkeys; its name, or null when there is none. */
export function deletePasskey(db: Db, tenantId: number, userId: number, id: string) {
  return db.maybeOne(sql.value(v.string())`
    delete from passkeys where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id}
    returning name
  `);
}

/**
 * Keeps the challenge that a browser has to sign; the former one is valid no more.
 *
 * @param hash of the browser's cookie
 * @param validity in ms
 */
export async function saveChallenge(
  db: Db,
  tenantId: number,
  hash: Buffer,
  challenge: string,
  validity: number,
): Promise<void> {
  await db.run(sql.nothing`
    insert into passkey_challenges (tenant_id, hash, challenge, expires_at)
    values (${tenantId}, ${sql.binary(hash)}, ${challenge},
      now() + make_interval(secs => ${validity / 1_000}))
    on conflict (tenant_id, hash) do update set
      challenge = excluded.challenge, expires_at = excluded.expires_at
  `);
}

/** The challenge that a browser has to sign, for the only time; null when there is none. */
export function takeChallenge(db: Db, tenantId: number, hash: Buffer): Promise<string | null> {
  return db.maybeOne(sql.value(v.string())`
    with taken as (
      delete from passkey_challenges where tenant_id = ${tenantId} and hash = ${sql.binary(hash)}
      returning challenge, expires_at
    )
    select challenge from taken where expires_at > now()
  `);
}
