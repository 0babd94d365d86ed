import { dictionaryRoutes } from './dictionaries.ts';
import { documentRoute } from './document.ts';
import { eventsRoute } from './events.ts';
import { finishedRoutes } from './finished.ts';
import { hostRoutes } from './hosts/hosts.ts';
import { categoryRoute, itemRoute, itemsRoute } from './items.ts';
import { jobRoute } from './jobs.ts';
import { userRoutes } from './people/users.ts';
import { recordRoutes } from './records/records.ts';
import { releaseRoutes } from './releases/releases.ts';
import { reportRoutes } from './reports.ts';
import { screenRoutes } from './screens/screens.ts';
import type { ApiRoute } from './services.ts';
import { streamRoute } from './stream.ts';
import { translationsRoute } from './translations.ts';
import { uploadPhotoRoute } from './upload-photo.ts';
import { versionsRoute } from './versions/list.ts';
import { versionMenuRoute } from './versions/menu.ts';
import { versionRoute } from './versions/show.ts';
import { wayBackRoutes } from './versions/way-back.ts';
import { webhookRoutes } from './webhooks/webhooks.ts';
import { bulkRoute } from './whole-menu/bulk.ts';
import { exportRoute } from './whole-menu/export.ts';
import { importRoute } from './whole-menu/import.ts';

/** Every endpoint below `/api/v1`. */
export const routes: readonly ApiRoute[] = [
  ...finishedRoutes,
  ...[categoryRoute, itemsRoute, itemRoute],
  ...dictionaryRoutes,
  ...[streamRoute, documentRoute(() => routes)],
  ...[...recordRoutes, uploadPhotoRoute],
  ...[bulkRoute, exportRoute, importRoute, jobRoute, translationsRoute],
  ...[versionsRoute, versionRoute, versionMenuRoute, ...wayBackRoutes],
  ...[...releaseRoutes, ...webhookRoutes, ...screenRoutes],
  ...reportRoutes,
  ...[...userRoutes, ...hostRoutes],
  eventsRoute,
];
