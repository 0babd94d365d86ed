/**
 * The `meta` of an answer that is made on demand (SPEC, "Envelope").
 *
 * @param now milliseconds since 1970
 */
export function envelopeMeta(now: number): { generated_at: string } {
  return { generated_at: `${new Date(now).toISOString().slice(0, 19)}+00:00` };
}
