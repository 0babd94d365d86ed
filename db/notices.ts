import * as v from 'valibot';

/** The channel on which new versions of tenants' menus are announced. */
export const versionsChannel = 'lavagna_versions';

const versionNoticeSchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  version: v.number(),
});
export type VersionNotice = v.InferOutput<typeof versionNoticeSchema>;

export function parseVersionNotice(payload: string): VersionNotice {
  return v.parse(versionNoticeSchema, JSON.parse(payload));
}
