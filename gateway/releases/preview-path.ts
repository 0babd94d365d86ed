/** The path of the preview that a secret opens. */
export function previewPath(secret: string): string {
  return `/preview/${secret}`;
}
