import { chainRoutes } from './chain/chain.ts';
import { deviationsRoute } from './chain/deviations.ts';
import { checklistRoute } from './checklist.ts';
import { documentRoute } from './document.ts';
import type { ApiRoute } from './frame/services.ts';
import { guestRoutes } from './guests.ts';
import { recordRoutes } from './records/records.ts';
import { uploadPhotoRoute } from './records/upload-photo.ts';
import { reportRoutes } from './reports.ts';
import { hostRoutes } from './restaurant/hosts.ts';
import { screenRoutes } from './restaurant/screens.ts';
import { userRoutes } from './restaurant/users.ts';
import { webhookRoutes } from './restaurant/webhooks.ts';
import { translationsRoute } from './translations.ts';
import { jobRoute } from './versions/jobs.ts';
import { releaseRoutes } from './versions/releases.ts';
import { versionMenuRoute, versionRoute, versionsRoute } from './versions/versions.ts';
import { wayBackRoutes } from './versions/way-back.ts';
import { bulkRoute } from './whole-menu/bulk.ts';
import { exportRoute } from './whole-menu/export.ts';
import { importRoute } from './whole-menu/import.ts';

/** The endpoints below `/api/v1` that owners' programs use, and the document of all. */
export const ownerRoutes: readonly ApiRoute[] = [
  documentRoute(() => routes),
  ...[...recordRoutes, uploadPhotoRoute],
  ...[bulkRoute, exportRoute, importRoute, jobRoute, translationsRoute, checklistRoute],
  ...[versionsRoute, versionRoute, versionMenuRoute, ...wayBackRoutes],
  ...[...releaseRoutes, ...chainRoutes, deviationsRoute, ...webhookRoutes, ...screenRoutes],
  ...reportRoutes,
  ...[...userRoutes, ...hostRoutes],
];

/** Every endpoint below `/api/v1`. */
export const routes: readonly ApiRoute[] = [...guestRoutes, ...ownerRoutes];
