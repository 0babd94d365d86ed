import * as v from 'valibot';
import { writeResultSchema } from './write.ts';

/** The channel on which new versions of tenants' menus are announced. */
export const versionsChannel = 'lavagna_versions';

const versionNoticeSchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  version: v.number(),
  /** ISO 8601 with offset: the time at which the version was built. */
  generated_at: v.string(),
});
export type VersionNotice = v.InferOutput<typeof versionNoticeSchema>;

export function parseVersionNotice(payload: string): VersionNotice {
  return v.parse(versionNoticeSchema, JSON.parse(payload));
}

/**
 * The channel on which the database announces a slug that became free, because its tenant was renamed
 * or deleted, by a command or by SQL; and a restaurant that is suspended or served again. The payload
 * names the tenant and the slug.
 */
export const freedSlugsChannel = 'lavagna_freed_slugs';

const freedSlugSchema = v.object({ tenant_id: v.number(), slug: v.string() });

/** The slug that became free. */
export function parseFreedSlug(payload: string): string {
  return v.parse(freedSlugSchema, JSON.parse(payload)).slug;
}

/** Postgres takes no longer notices. */
export const MAX_NOTICE_BYTES = 7_999;

/** The channel on which finished writes are announced. */
export const writesChannel = 'lavagna_writes';

const writeNoticeSchema = v.object({
  tenant_id: v.number(),
  ids: v.array(v.string()),
  /** The version of the tenant that shows them all. */
  version: v.number(),
  /** How they ended, unless that is too long for a notice: then gateways read the writes. */
  outcomes: v.optional(v.array(writeResultSchema)),
});
export type WriteNotice = v.InferOutput<typeof writeNoticeSchema>;

export function parseWriteNotice(payload: string): WriteNotice {
  return v.parse(writeNoticeSchema, JSON.parse(payload));
}

/** The channel on which changes of screens are announced, by the statements that make them. */
export const screensChannel = 'lavagna_screens';

const screenNoticeSchema = v.object({ tenant_id: v.number(), slug: v.string(), id: v.number() });
export type ScreenNotice = v.InferOutput<typeof screenNoticeSchema>;

export function parseScreenNotice(payload: string): ScreenNotice {
  return v.parse(screenNoticeSchema, JSON.parse(payload));
}

/** The channel on which the database announces each change of a restaurant's host names. */
export const hostsChannel = 'lavagna_hosts';

const hostNoticeSchema = v.object({
  name: v.string(),
  /** Of the restaurant; null when it is gone. */
  slug: v.nullable(v.string()),
});
export type HostNotice = v.InferOutput<typeof hostNoticeSchema>;

export function parseHostNotice(payload: string): HostNotice {
  return v.parse(hostNoticeSchema, JSON.parse(payload));
}
