import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { screensChannel } from '../schema/notices.ts';
import { type ScreenSettings, screenSchema, screenSettings } from '../schema/screen.ts';
import { isoDate } from '../schema/validation/date-fields.ts';
import { signInKey } from './sessions.ts';
import { houseHoursSchema } from './tenants.ts';

/** How long a screen shows its name, in ms. */
const SCREEN_NAME_TIME = 60_000;

// Screens on walls, the letters of those that have no place yet, and who guesses letters.

const screenRow = v.object({
  ...screenSchema.entries,
  ...{ last_seen_at: isoDate, created_at: isoDate, updated_at: isoDate },
});
export type Screen = v.InferOutput<typeof screenRow>;

const seconds = (ms: number) => sql.fragment`make_interval(secs => ${ms / 1_000})`;
const settings = sql.columnsOf(screenSettings);
/** Whether a screen `s` is away when its stream has ended so long ago. @param after in ms */
const isAwayFor = (after: number, at = sql.fragment`now()`) => sql.fragment`
  s.last_seen_at < ${at} - case when s.is_here then ${seconds(constants.screenSilentAfter)}
    else ${seconds(after)} end
`;
const isAway = isAwayFor(constants.screenGoneAfter);
const columns = sql.fragment`
  id, ${settings}, case when ${isAway} then 'away' else 'here' end as state,
  last_seen_at, version, width, height, created_at, updated_at
`;
/** Tells the gateways of the screens in `changed`, so that each of these shows what it should. */
const told = sql.fragment`
  select from changed c join tenants t on t.id = c.tenant_id, pg_notify(${screensChannel},
    json_build_object('tenant_id', c.tenant_id, 'slug', t.slug, 'id', c.id)::text)
`;

/** The screens of a restaurant in the order of their names. */
export function listScreens(db: Db, tenantId: number): Promise<readonly Screen[]> {
  return db.any(sql.type(screenRow)`
    select ${columns} from screens s where tenant_id = ${tenantId} order by lower(name), id
  `);
}

export function findScreen(db: Db, tenantId: number, id: number): Promise<Screen | null> {
  return db.maybeOne(sql.type(screenRow)`
    select ${columns} from screens s where tenant_id = ${tenantId} and id = ${id}
  `);
}

const knownSchema = v.object({
  id: v.number(),
  ...screenSettings.entries,
  /** For how long it shows its name, in ms. */
  name_for: v.number(),
});
/** A screen as a gateway knows it by its cookie. */
export type KnownScreen = v.InferOutput<typeof knownSchema>;

/** The screen with this cookie, or null. @param hash SHA-256 of the cookie */
export function findScreenByCookie(db: Db, tenantId: number, hash: Buffer) {
  return db.maybeOne(sql.type(knownSchema)`
    select id, ${settings},
      greatest(0, coalesce(extract(epoch from name_until - now()) * 1000, 0))::float8 as name_for
    from screens where tenant_id = ${tenantId} and hash = ${sql.binary(hash)}
  `);
}

/**
 * The letters of a browser that are valid still, or null.
 *
 * @param hash SHA-256 of its cookie
 */
export function findScreenCode(db: Db, tenantId: number, hash: Buffer): Promise<string | null> {
  return db.maybeOne(sql.value(v.string())`
    select code from screen_codes
    where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and expires_at > now()
  `);
}

/** A browser that waits for a place. */
interface WaitingScreen {
  /** SHA-256 of its cookie. */
  hash: Buffer;
  /** Of the address that it calls from. */
  client: string;
}

/**
 * Gives a browser these letters; false when another one has them, when too many of its address wait, or
 * too many at all. Where all places are taken, the address with the most of them gives up its newest,
 * so that a few addresses cannot take all places.
 */
export function saveScreenCode(
  db: Db,
  tenantId: number,
  { hash, client }: WaitingScreen,
  code: string,
): Promise<boolean> {
  const { maxWaitingScreens, maxWaitingScreensPerClient } = constants;
  const key = signInKey(client);
  return db.touches(sql.nothing`
    with waiting as (
      select client, count(*) as places from screen_codes
      where tenant_id = ${tenantId} and expires_at > now() group by client
    ), counted as (
      select coalesce(sum(places), 0) as places, coalesce(max(places), 0) as most,
        coalesce(max(places) filter (where client = ${key}), 0) as own
      from waiting
    ), given_up as (
      delete from screen_codes c using counted n
      where c.tenant_id = ${tenantId} and n.places >= ${maxWaitingScreens} and n.own + 1 < n.most
        and c.hash = (
          select hash from screen_codes
          where tenant_id = ${tenantId} and expires_at > now()
            and client = (select client from waiting order by places desc limit 1)
          order by expires_at desc limit 1
        )
      returning 1
    )
    insert into screen_codes (tenant_id, code, hash, client, expires_at)
    select ${tenantId}, ${code}, ${sql.binary(hash)}, ${key},
      now() + ${seconds(constants.screenCodeTtl)}
    from counted
    where own < ${maxWaitingScreensPerClient}
      and (places < ${maxWaitingScreens} or exists (select from given_up))
      and not exists (
        select from screen_codes where tenant_id = ${tenantId} and code = ${code}
      )
    on conflict (tenant_id, hash) do update
      set code = excluded.code, client = excluded.client, expires_at = excluded.expires_at
  `);
}

/**
 * Gives the browser with these letters its place as a screen; null when no browser shows them now. The
 * letters are valid no more. Its former place, if it had one, is the new one.
 */
export function placeScreen(db: Db, tenantId: number, code: string, name: string) {
  return db.maybeOne(sql.type(screenRow)`
    with taken as (
      delete from screen_codes
      where tenant_id = ${tenantId} and code = ${code} and expires_at > now()
      returning hash
    )
    insert into screens as s (tenant_id, name, hash)
    select ${tenantId}, ${name}, hash from taken
    on conflict (tenant_id, hash) do update set name = excluded.name
    returning ${columns}
  `);
}

export function countScreens(db: Db, tenantId: number): Promise<number> {
  return db.one(sql.value(v.number())`
    select count(*)::int4 from screens where tenant_id = ${tenantId}
  `);
}

/** A screen whose settings are about to change; null when there is none. */
export function lockScreen(db: Db, tenantId: number, id: number): Promise<Screen | null> {
  return db.maybeOne(sql.type(screenRow)`
    select ${columns} from screens s where tenant_id = ${tenantId} and id = ${id} for update
  `);
}

/** Changes what a screen shows, and tells it. */
export async function saveScreen(db: Db, tenantId: number, id: number, next: ScreenSettings) {
  const { name, section_ids, languages, page_seconds, columns: count, orientation } = next;
  await db.run(sql.nothing`
    with changed as (
      update screens set name = ${name}, section_ids = ${sql.array(section_ids, 'int4')},
        languages = ${sql.array(languages, 'text')}, page_seconds = ${page_seconds},
        columns = ${count}, orientation = ${orientation}, text_size = ${next.text_size},
        hide_sold_out = ${next.hide_sold_out}, tells_away = ${next.tells_away},
        part = ${next.part}, parts = ${next.parts},
        updated_at = now()
      where tenant_id = ${tenantId} and id = ${id} returning tenant_id, id
    ) ${told}
  `);
}

/** Lets a screen show its name for a while; false when there is none. */
export function showScreenName(db: Db, tenantId: number, id: number): Promise<boolean> {
  return db.touches(sql.nothing`
    with changed as (
      update screens set name_until = now() + ${seconds(SCREEN_NAME_TIME)}
      where tenant_id = ${tenantId} and id = ${id} returning tenant_id, id
    ) ${told}
  `);
}

/** Takes a screen's place away: it shows letters again. False when there is none. */
export function deleteScreen(db: Db, tenantId: number, id: number): Promise<boolean> {
  return db.touches(sql.nothing`
    with changed as (
      delete from screens where tenant_id = ${tenantId} and id = ${id} returning tenant_id, id
    ) ${told}
  `);
}

/** Those of the ids that no section of the restaurant has. */
export function findMissingSections(db: Db, tenantId: number, ids: readonly number[]) {
  return db.any(sql.value(v.number())`
    select id from unnest(${sql.array(ids, 'int4')}) as asked (id)
    where not exists (
      select from sections s
      where s.tenant_id = ${tenantId} and s.id = asked.id and s.deleted_at is null
    )
  `);
}

/** Gives back an attempt at letters that were right. */
export async function forgiveScreenGuess(db: Db, tenantId: number, name: string): Promise<void> {
  await db.run(sql.nothing`
    update sign_in_attempts set count = greatest(count - 1, 0)
    where tenant_id = ${tenantId} and kind = 'screen' and key = ${signInKey(name)}
  `);
}

/** A contact of a screen with a gateway. */
export interface ScreenContact {
  tenantId: number;
  id: number;
  at: Date;
  /** Whether its stream is open. */
  isHere: boolean;
  /** The version that it was given; null when nothing was given. */
  version: number | null;
  /** In pixels of CSS, as it says; null when it does not. */
  size: { width: number; height: number } | null;
}

/**
 * Notes contacts of screens, one row a screen. An older one never replaces a newer one. All gateways
 * lock the screens in the same order, so that they never wait for each other in a circle.
 */
export async function recordScreenContacts(db: Db, contacts: readonly ScreenContact[]) {
  await db.run(sql.nothing`
    with contacts as (
      select * from unnest(
        ${column(contacts, ({ tenantId }) => tenantId, 'int4')},
        ${column(contacts, ({ id }) => id, 'int4')},
        ${column(contacts, ({ at }) => at.toISOString(), 'timestamptz')},
        ${column(contacts, ({ isHere }) => isHere, 'bool')},
        ${column(contacts, ({ version }) => version, 'int8')},
        ${column(contacts, ({ size }) => size?.width ?? null, 'int4')},
        ${column(contacts, ({ size }) => size?.height ?? null, 'int4')}
      ) as c (tenant_id, id, at, is_here, version, width, height)
    ), locked as (
      select s.tenant_id, s.id, c.at, c.is_here, c.version, c.width, c.height
      from screens s join contacts c on c.tenant_id = s.tenant_id and c.id = s.id
      where c.at >= s.last_seen_at
      order by s.tenant_id, s.id for no key update of s
    )
    update screens s set last_seen_at = l.at, is_here = l.is_here,
      version = coalesce(l.version, s.version), width = coalesce(l.width, s.width),
      height = coalesce(l.height, s.height), told_away_at = case when l.is_here then null
        else s.told_away_at end
    from locked l where s.tenant_id = l.tenant_id and s.id = l.id
  `);
}

const awaySchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  id: v.number(),
  timezone: v.string(),
  ...houseHoursSchema.entries,
});
/** A screen that is away, with the hours of its restaurant. */
export type AwayScreen = v.InferOutput<typeof awaySchema>;

/**
 * Some screens behind `after` that have been away for `screenTellAfter`, in the order of restaurants.
 * Screens that owners were told of, and those that tell nothing, are left out.
 */
export function findAwayScreens(
  db: Db,
  at: Date,
  after: Pick<AwayScreen, 'tenant_id' | 'id'>,
  limit: number,
): Promise<readonly AwayScreen[]> {
  const moment = sql.fragment`${at.toISOString()}::timestamptz`;
  return db.any(sql.type(awaySchema)`
    select s.tenant_id, t.slug, s.id, c.timezone, c.opening_hours, c.closures, c.special_hours
    from screens s join tenants t on t.id = s.tenant_id join settings c on c.tenant_id = s.tenant_id
    where (s.tenant_id, s.id) > (${after.tenant_id}, ${after.id})
      and s.tells_away and s.told_away_at is null and t.suspended_at is null
      and ${isAwayFor(constants.screenTellAfter, moment)}
    order by s.tenant_id, s.id limit ${limit}
  `);
}

const toldSchema = v.object({ id: v.number(), name: v.string(), last_seen_at: isoDate });

/** Notes that owners are told of these screens; those that changed meanwhile are left out. */
export function noteToldAway(db: Db, tenantId: number, ids: readonly number[], at: Date) {
  const moment = sql.fragment`${at.toISOString()}::timestamptz`;
  return db.any(sql.type(toldSchema)`
    with noted as (
      update screens s set told_away_at = ${moment}
      where tenant_id = ${tenantId} and id = any (${sql.array(ids, 'int4')})
        and tells_away and told_away_at is null
        and ${isAwayFor(constants.screenTellAfter, moment)}
      returning id, name, last_seen_at
    )
    select * from noted order by id
  `);
}
