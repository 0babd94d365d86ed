import * as v from 'valibot';
import { writeResultSchema } from './write.ts';

/** Reads the payload of a notice. @throws Error for one of another shape */
function reads<S extends v.GenericSchema<unknown>>(
  schema: S,
): (payload: string) => v.InferOutput<S> {
  return (payload) => v.parse(schema, JSON.parse(payload));
}

/** The channel on which new versions of tenants' menus are announced. */
export const versionsChannel = 'lavagna_versions';

export const versionNoticeSchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  version: v.number(),
  /** ISO 8601 with offset: the time at which the version was built. */
  generated_at: v.string(),
});
export type VersionNotice = v.InferOutput<typeof versionNoticeSchema>;
export const parseVersionNotice = reads(versionNoticeSchema);

/**
 * The channel on which the database announces a slug that became free, because its tenant was renamed
 * or deleted, by a command or by SQL; and a restaurant that is suspended or served again. The payload
 * names the tenant and the slug.
 */
export const freedSlugsChannel = 'lavagna_freed_slugs';

/** The slug that became free. */
export const parseFreedSlug = reads(
  v.pipe(
    v.object({ tenant_id: v.number(), slug: v.string() }),
    v.transform(({ slug }) => slug),
  ),
);

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
export const parseWriteNotice = reads(writeNoticeSchema);

/** The channel on which changes of screens are announced, by the statements that make them. */
export const screensChannel = 'lavagna_screens';

const screenNoticeSchema = v.object({ tenant_id: v.number(), slug: v.string(), id: v.number() });
export type ScreenNotice = v.InferOutput<typeof screenNoticeSchema>;
export const parseScreenNotice = reads(screenNoticeSchema);

/** The channel on which the database announces each change of a restaurant's host names. */
export const hostsChannel = 'lavagna_hosts';

const hostNoticeSchema = v.object({
  name: v.string(),
  /** Of the restaurant; null when it is gone. */
  slug: v.nullable(v.string()),
});
export type HostNotice = v.InferOutput<typeof hostNoticeSchema>;
export const parseHostNotice = reads(hostNoticeSchema);
