/** `YYYY-MM-DDTHH:MM:SS+00:00`, the form of `generated_at` in every answer (SPEC, "Envelope"). */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}
