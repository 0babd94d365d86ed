import { chainRoutes } from './routes/chain/chain.ts';
import { deviationsRoute } from './routes/chain/deviations.ts';
import { checklistRoute } from './routes/checklist.ts';
import { dictionaryRoutes } from './routes/dictionaries.ts';
import { documentRoute } from './routes/document.ts';
import { eventsRoute } from './routes/events.ts';
import { finishedRoutes } from './routes/finished.ts';
import { hostRoutes } from './routes/hosts/hosts.ts';
import { categoryRoute, itemRoute, itemsRoute } from './routes/items.ts';
import { jobRoute } from './routes/jobs/jobs.ts';
import { userRoutes } from './routes/people/users.ts';
import { recordRoutes } from './routes/records/records.ts';
import { uploadPhotoRoute } from './routes/records/upload-photo.ts';
import { releaseRoutes } from './routes/releases/releases.ts';
import { reportRoutes } from './routes/reports.ts';
import { screenRoutes } from './routes/screens/screens.ts';
import type { ApiRoute } from './routes/services.ts';
import { streamRoute } from './routes/stream.ts';
import { translationsRoute } from './routes/translations.ts';
import { versionMenuRoute, versionRoute, versionsRoute } from './routes/versions/versions.ts';
import { wayBackRoutes } from './routes/versions/way-back.ts';
import { webhookRoutes } from './routes/webhooks/webhooks.ts';
import { bulkRoute } from './routes/whole-menu/bulk.ts';
import { exportRoute } from './routes/whole-menu/export.ts';
import { importRoute } from './routes/whole-menu/import.ts';

/** Every endpoint below `/api/v1`. */
export const routes: readonly ApiRoute[] = [
  ...finishedRoutes,
  ...[categoryRoute, itemsRoute, itemRoute],
  ...dictionaryRoutes,
  ...[streamRoute, documentRoute(() => routes)],
  ...[...recordRoutes, uploadPhotoRoute],
  ...[bulkRoute, exportRoute, importRoute, jobRoute, translationsRoute, checklistRoute],
  ...[versionsRoute, versionRoute, versionMenuRoute, ...wayBackRoutes],
  ...[...releaseRoutes, ...chainRoutes, deviationsRoute, ...webhookRoutes, ...screenRoutes],
  ...reportRoutes,
  ...[...userRoutes, ...hostRoutes],
  eventsRoute,
];
