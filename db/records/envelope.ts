import { type FieldErrors, summarize } from '../validation/messages.ts';

/** `YYYY-MM-DDTHH:MM:SS+00:00`: the envelope's `generated_at`. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

/** The body of a success (SPEC, "Envelope"). */
export function successBody(data: unknown, meta: Record<string, unknown> = {}): string {
  const generated_at = timestamp(new Date());
  return JSON.stringify({ success: true, data, meta: { generated_at, ...meta } });
}

/** The body of an error (SPEC, "Errors"). */
export function errorBody(message: string, details: Record<string, unknown> = {}): string {
  return JSON.stringify({ success: false, message, ...details });
}

/** The body of a 422: the errors by field, and the first of them with the count of the others. */
export function invalidBody(errors: FieldErrors): string {
  return errorBody(summarize(errors), { errors });
}
