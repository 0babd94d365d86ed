/** The path of the preview that a secret opens. */
export function releasePreviewPath(secret: string): string {
  return `/preview/${secret}`;
}
