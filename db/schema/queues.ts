import type { LinkPreview } from './photo.ts';

/** The queues between gateways, operators and workers, with how each of them behaves. */
export const queues = {
  /** Tenants whose snapshots are of an older format: `RebuildJob`, one at a time for a tenant. */
  snapshotRebuilds: 'snapshot-rebuilds',
  /** Accepted events: `EventJob`. */
  analyticsEvents: 'analytics-events',
  /** Those jobs of events that failed for good; they stay until an operator has seen to them. */
  analyticsEventsFailed: 'analytics-events-failed',
  /** Uploaded photos whose files are to be made: `PhotoJob`. */
  photoUploads: 'photo-uploads',
  /** Pictures for shared links that are to be drawn: `LinkPreviewJob`, one at a time for a picture. */
  linkPreviews: 'link-previews',
  /** Writes and due changes of restaurants: `RestaurantJob`, one at a time for a restaurant. */
  menuWrites: 'menu-writes',
} as const;

export interface RebuildJob {
  tenant_id: number;
}

/** The id is that of the upload, and of the write that creates the photo. */
export interface PhotoJob {
  tenant_id: number;
  id: string;
}

/** Its key names the restaurant and the picture. */
export interface LinkPreviewJob {
  tenant_id: number;
  preview: LinkPreview;
}

/** Its key is the tenant's id. The writes, their order and their results stand in `writes`. */
export interface RestaurantJob {
  tenant_id: number;
}
