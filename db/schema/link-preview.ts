import { createHash } from 'node:crypto';

/** The size of the picture that stands for a restaurant where its address is shared, in pixels. */
export const LINK_PREVIEW_SIZE = { width: 1_200, height: 630 } as const;

/** All that the picture shows. */
export interface LinkPreview {
  name: string;
  /** Colours as `#rrggbb`. */
  ground: string;
  ink: string;
  /** The folder of the font below `@fontsource-variable`. */
  font: string;
}

/** Equal pictures have equal digests. */
export function linkPreviewDigest({ name, ground, ink, font }: LinkPreview): string {
  const text = JSON.stringify([name, ground, ink, font]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
