import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

// The keys by which screens know the menus that come to them without a network.

const secretsSchema = v.object({
  secret: v.instance(Buffer),
  next_secret: v.nullable(v.instance(Buffer)),
});
type Secrets = v.InferOutput<typeof secretsSchema>;

/** Those of a restaurant; null before its first screen or bundle. */
export function findBundleSecrets(db: Db, tenantId: number): Promise<Secrets | null> {
  return db.maybeOne(sql.type(secretsSchema)`
    select secret, next_secret from bundle_keys where tenant_id = ${tenantId}
  `);
}

/** Gives a restaurant this secret, unless it has one. @returns the one that it has */
export function ensureBundleSecret(db: Db, tenantId: number, secret: Buffer): Promise<Secrets> {
  return db.one(sql.type(secretsSchema)`
    insert into bundle_keys as k (tenant_id, secret) values (${tenantId}, ${sql.binary(secret)})
    on conflict (tenant_id) do update set secret = k.secret
    returning secret, next_secret
  `);
}

/** Names the secret that will follow, unless one is named. */
export function saveNextSecret(db: Db, tenantId: number, next: Buffer): Promise<Secrets> {
  return db.one(sql.type(secretsSchema)`
    update bundle_keys set next_secret = coalesce(next_secret, ${sql.binary(next)})
    where tenant_id = ${tenantId} returning secret, next_secret
  `);
}

/** Lets the next secret sign from now on; null when none is named. */
export function takeNextSecret(db: Db, tenantId: number): Promise<Secrets | null> {
  return db.maybeOne(sql.type(secretsSchema)`
    update bundle_keys set secret = next_secret, next_secret = null
    where tenant_id = ${tenantId} and next_secret is not null returning secret, next_secret
  `);
}
