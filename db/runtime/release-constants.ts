/** Bounds of releases. */
export const releaseConstants = {
  /** Releases of a restaurant, in whatever state. */
  maxReleases: 50,
  /** Operations of one release, and their length as JSON, in bytes. */
  maxReleaseOperations: 1_000,
  maxReleaseBytes: 262_144,
  /** Previews of a restaurant that a gateway draws in a minute. */
  maxPreviewsPerMinute: 120,
  /** How long a gateway waits until a worker has made a preview, and between two looks, in ms. */
  previewTimeout: 10_000,
  previewInterval: 100,
};
