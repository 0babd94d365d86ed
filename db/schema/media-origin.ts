/**
 * Stands before the path of a photo where its origin is not known yet: in snapshots and in the results
 * of writes, which workers make. Gateways put the restaurant's origin in its place.
 */
const UNKNOWN_ORIGIN = '\x1c';
const MARKED = `${JSON.stringify(UNKNOWN_ORIGIN).slice(1, -1)}/media/`;

/** The address of a stored path, without its origin. */
export function withoutOrigin(path: string): string {
  return UNKNOWN_ORIGIN + path;
}

/** Whether finished JSON has photos without an origin. */
export function hasUnknownOrigin(json: Buffer): boolean {
  return json.includes(MARKED);
}

/** Finished JSON whose photos have absolute addresses. */
export function withMediaOrigin(json: string, origin: string): string {
  return json.includes(MARKED) ? json.replaceAll(MARKED, `${origin}/media/`) : json;
}

/** The path of a photo's address, which works on every host of the restaurant. */
export function mediaPathOf(address: string): string {
  return address.slice(Math.max(address.indexOf('/media/'), 0));
}
