import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Release } from '../../db/schema/release.ts';
import { buildInSteps } from '../../db/snapshot/build.ts';
import { encodeTemplate } from '../../db/snapshot/template.ts';
import { readClock } from '../../db/sql/clock.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { savePreview } from '../../db/sql/release-previews.ts';

/** Stores the menu that guests will see when a release is published. */
export async function keepPreview(
  tx: Db,
  tenantId: number,
  { id, starts_at }: Release,
  menu: StoredMenu,
): Promise<void> {
  const at = starts_at === null ? await readClock(tx) : new Date(starts_at);
  const { head, sections } = await inSlices(buildInSteps(menu, at), constants.buildSlice);
  const templates = [...sections.values()].map(({ template }) => encodeTemplate(template));
  await savePreview(tx, tenantId, id, { head: JSON.stringify(head), templates });
}
