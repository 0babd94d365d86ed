/** The constants of photos, as part of those of `constants.ts`. */
export const photoConstants = {
  /** Largest photo that is taken, in bytes and in pixels. */
  maxPhotoBytes: 12 * 1_048_576,
  maxPhotoPixels: 40_000_000,
  /** An AVIF takes 18 bytes a pixel while it is decoded, and other formats at most 5. */
  maxAvifPixels: 12_500_000,
  /** Largest form with photos: the browser sends several in one without JavaScript, in bytes. */
  maxPhotoFormBytes: 48 * 1_048_576,
  /** Widths in which photos are served, never larger than the original, in pixels. */
  photoWidths: [320, 640, 1280],
  /** Longest side of the form in which a photo is kept, in pixels. */
  maxKeptPhotoSide: 2_560,
  /** How long a photo may be worked on, in s, and how often it is tried again. */
  photoExpirySeconds: 120,
  photoRetries: 2,
  /**
   * How long one photo may take in the process that makes them, and how long that process waits for
   * another one before it ends, in ms.
   */
  photoTimeout: 60_000,
  photoProcessIdle: 10_000,
  /**
   * Memory that this process may ask for, in MiB. Of that, some 60 are never resident: with the largest
   * photos that are taken it has 330, and it never has 400.
   */
  photoProcessMb: 416,
  /** Days after which a photo that nothing names is deleted. */
  unusedPhotoDays: 30,
  /** How long an upload is kept that no worker has finished, in hours. */
  uploadHours: 24,
  /** Uploads of one restaurant that may wait; the next one is answered with 503. */
  maxWaitingUploads: 500,
  /** How long a gateway serves a photo from memory before it looks whether it is still there, in ms. */
  mediaTtl: 60_000,
  /** Photos that a form of the panel offers, and that its list shows. */
  maxListedPhotos: 200,
  /** Photos that one form of the panel uploads. */
  maxPhotosPerForm: 20,
  /** How long a gateway waits for a picture for shared links, and its pauses meanwhile, in ms. */
  linkPreviewTimeout: 10_000,
  linkPreviewPoll: 100,
  /** How long a gateway waits until the files of a photo are made, in ms. */
  uploadTimeout: 25_000,
};
