import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { hashTokenPlain, makeTokenPlain, type Scope, scopeSchema } from '../schema/token.ts';
import { roleSchema, scopesWithin } from '../schema/user.ts';

/** Names a token; a token of another tenant is another token, whatever its id. */
export interface TokenKey {
  tenantId: number;
  id: number;
}

const storedTokenSchema = v.pipe(
  v.object({
    tenant_id: v.number(),
    id: v.number(),
    name: v.string(),
    scopes: v.array(scopeSchema),
    role: roleSchema,
    /** SHA-256 of the plain part. */
    hash: v.instance(Buffer),
  }),
  // A token never may do more than its owner may at this moment.
  v.transform(({ role, ...token }) => ({ ...token, scopes: scopesWithin(role, token.scopes) })),
);
export type StoredToken = v.InferOutput<typeof storedTokenSchema>;

/** A token as the client of a host names it. */
export interface AskedToken extends TokenKey {
  /** Of the tenant as the host has it: in a database that was made anew another may have its id. */
  slug: string;
}

/**
 * Those of the tokens that exist and are not revoked, in no particular order. The limit of one lets
 * Postgres look each up: by old counts of users it chose to read all tenants, which took 4 ms of
 * 10,000. By the limit of the asked ones it expects few of them, so that it keeps one plan.
 */
export function findTokens(db: Db, asked: readonly AskedToken[]): Promise<readonly StoredToken[]> {
  return db.any(sql.prepared('find-tokens', storedTokenSchema)`
    select found.*
    from (
      select distinct * from unnest(
        ${column(asked, ({ tenantId }) => tenantId, 'int4')},
        ${column(asked, ({ slug }) => slug, 'text')},
        ${column(asked, ({ id }) => id, 'int4')}
      ) as a (tenant_id, slug, id)
      limit ${asked.length}
    ) asked cross join lateral (
      select k.tenant_id, k.id, k.name, k.scopes, u.role, k.hash
      from tenants t
      join tokens k on k.tenant_id = t.id and k.id = asked.id
      join users u on u.tenant_id = k.tenant_id and u.id = k.user_id
      where t.id = asked.tenant_id and t.slug = asked.slug and t.suspended_at is null
        and k.revoked_at is null
      limit 1
    ) found
  `);
}

export interface TokenUse extends TokenKey {
  usedAt: Date;
}

/**
 * Notes when tokens were last used; an older note never replaces a newer one. All gateways lock the
 * tokens in the same order, so that they never wait for each other in a circle.
 */
export async function recordTokenUses(db: Db, uses: readonly TokenUse[]): Promise<void> {
  await db.run(sql.nothing`
    with uses as (
      select * from unnest(
        ${column(uses, ({ tenantId }) => tenantId, 'int4')},
        ${column(uses, ({ id }) => id, 'int4')},
        ${column(uses, ({ usedAt }) => usedAt.toISOString(), 'timestamptz')}
      ) as u (tenant_id, id, used_at)
    ), locked as (
      select t.tenant_id, t.id, u.used_at
      from tokens t join uses u on t.tenant_id = u.tenant_id and t.id = u.id
      order by t.tenant_id, t.id for no key update of t
    )
    update tokens t set last_used_at = greatest(t.last_used_at, l.used_at)
    from locked l where t.tenant_id = l.tenant_id and t.id = l.id
  `);
}

const listedTokenSchema = v.object({
  id: v.number(),
  name: v.string(),
  scopes: v.array(scopeSchema),
  owner: v.string(),
  created_at: v.date(),
  last_used_at: v.nullable(v.date()),
  revoked_at: v.nullable(v.date()),
});
/** A token as the panel shows it: everything but its value. */
export type ListedToken = v.InferOutput<typeof listedTokenSchema>;

const columns = sql.fragment`
  t.id, t.name, t.scopes, u.email as owner, t.created_at, t.last_used_at, t.revoked_at
`;
const tokens = sql.fragment`
  tokens t join users u on u.tenant_id = t.tenant_id and u.id = t.user_id
`;

/**
 * The tenant's tokens: the active ones from the newest on, then those that were revoked last.
 *
 * @param limit by default one more than the panel lists, to tell that there are others
 */
export function listTokens(db: Db, tenantId: number, limit = constants.maxListedTokens + 1) {
  return db.any(sql.type(listedTokenSchema)`
    select ${columns} from ${tokens}
    where t.tenant_id = ${tenantId}
    order by t.revoked_at desc nulls first, t.created_at desc, t.id desc
    limit ${limit}
  `);
}

/** One of the tenant's tokens, or null. */
export function findListedToken(db: Db, tenantId: number, id: number): Promise<ListedToken | null> {
  return db.maybeOne(sql.type(listedTokenSchema)`
    select ${columns} from ${tokens} where t.tenant_id = ${tenantId} and t.id = ${id}
  `);
}

interface TokenOfUser {
  tenantId: number;
  userId: number;
  name: string;
  /** At least one. */
  scopes: readonly Scope[];
}

/**
 * Inserts a token of a panel user; null when the tenant has as many active ones as it may have. Its
 * users are locked. `<id>|<plain>` is to be shown once: only a hash of it is stored.
 */
export async function insertToken(db: Db, token: TokenOfUser) {
  const { tenantId, userId, name, scopes } = token;
  const plain = makeTokenPlain();
  const id = await db.maybeOne(sql.value(v.number())`
    insert into tokens (tenant_id, user_id, name, scopes, hash)
    select ${tenantId}, ${userId}, ${name}, ${sql.array(scopes, 'text')},
      ${sql.binary(hashTokenPlain(plain))}
    where ${constants.maxActiveTokens} > (
      select count(*) from tokens where tenant_id = ${tenantId} and revoked_at is null
    )
    returning id
  `);
  return id === null ? null : { id, token: `${id}|${plain}` };
}

/** Revokes a token for good; false when the tenant has no token with this id that is active. */
export function revokeToken(db: Db, tenantId: number, id: number): Promise<boolean> {
  return db.touches(sql.nothing`
    update tokens set revoked_at = now()
    where tenant_id = ${tenantId} and id = ${id} and revoked_at is null
  `);
}
