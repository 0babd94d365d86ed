import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { PgBoss } from 'pg-boss';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { type LinkPreview, linkPreviewDigest } from '../../db/schema/photo.ts';
import { type LinkPreviewJob, queues } from '../../db/schema/queues.ts';
import type { Settings } from '../../db/schema/settings.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { findLinkPreview } from '../../db/sql/photos.ts';
import { createAnswer } from '../http/answer.ts';
import { UnavailableError, unavailable } from '../http/errors.ts';
import { createMaker } from '../runtime/maker.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { formatColor, opposite, parseColor } from '../theme/color.ts';
import { drawnFont } from '../theme/own-fonts.ts';
import { readSettingsAndTheme } from '../theme/theme-css.ts';

/** The pictures that stand for restaurants where their addresses are shared. Workers draw them. */
export type LinkPreviews = ReturnType<typeof createLinkPreviews>;

/** Pictures that a gateway keeps in memory; each has some 20 KB. */
const MOST_KEPT = 60;
const FOREVER = 'public, max-age=31536000, immutable';

function previewOf({ name }: Pick<Settings, 'name'>, theme: Theme): LinkPreview {
  const ground = parseColor(theme.primary_color);
  const ink = opposite(ground);
  const colors = { ground: formatColor(ground), ink: formatColor(ink) };
  return { name, ...colors, font: drawnFont(theme.font_family) };
}

/** The path of the picture; another name, colour or font has another one. */
export function linkPreviewPath(settings: Pick<Settings, 'name'>, theme: Theme): string {
  return `/display/${linkPreviewDigest(previewOf(settings, theme))}/preview.png`;
}

/** Pause between two looks for a picture that a worker draws, in ms. */
const POLL = 100;

export function createLinkPreviews(
  db: Db,
  boss: Pick<PgBoss, 'send'>,
  { linkPreviewTimeout }: Pick<Constants, 'linkPreviewTimeout'>,
) {
  const once = createMaker<Buffer>(new LRUCache<string, Buffer>({ max: MOST_KEPT }));
  const away = unavailable('could not read a picture for shared links');

  /** Asks a worker for a picture unless it is there, and waits for it. */
  const draw = async (tenantId: number, preview: LinkPreview, digest: string): Promise<Buffer> => {
    const end = performance.now() + linkPreviewTimeout;
    let isAsked = false;
    for (;;) {
      const found = await findLinkPreview(db, tenantId, digest).catch(away);
      if (found) return found;
      if (!isAsked) {
        const data: LinkPreviewJob = { tenant_id: tenantId, preview };
        const singletonKey = `${tenantId}/${digest}`;
        await boss.send(queues.linkPreviews, data, { singletonKey }).catch(away);
        isAsked = true;
      }
      if (performance.now() > end) throw new UnavailableError('no worker has drawn a picture');
      await sleep(POLL);
    }
  };

  return {
    /** The picture of a menu. @throws UnavailableError when no worker has drawn it in time */
    answer: async (snapshot: LoadedSnapshot, digest: string) => {
      const { settings, theme } = readSettingsAndTheme(snapshot);
      const preview = previewOf(settings, theme);
      const { id } = snapshot.tenant;
      const present = linkPreviewDigest(preview);
      const content = await once(`${id}/${present}`, () => draw(id, preview, present));
      const isPresent = digest === present;
      const type = { 'Content-Type': 'image/png' };
      return createAnswer('200 OK', isPresent ? FOREVER : 'no-cache', type, content);
    },
  };
}
