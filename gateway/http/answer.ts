/** A finished HTTP answer: what is left to add are the headers that depend on the client. */
export interface Answer {
  /** Code and reason, as the status line has them. */
  status: string;
  /** The value of Cache-Control and, after it, all further header lines, joined by CRLF. */
  head: Buffer;
  /** Null where the status allows no body. */
  body: Uint8Array | null;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Header lines in the form in which `Answer.head` holds them. */
export function headOf(cacheControl: string, headers: Record<string, string>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([cacheControl, ...lines].join('\r\n'));
}

/** A JSON answer that nobody may store: errors and everything of the admin API. */
export function jsonAnswer(
  status: string,
  body: unknown,
  headers: Record<string, string> = {},
): Answer {
  return {
    status,
    head: headOf('no-store', { 'Content-Type': JSON_TYPE, ...headers }),
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** The error envelope (SPEC, "Errors"). */
export function errorAnswer(
  status: string,
  message: string,
  headers: Record<string, string> = {},
): Answer {
  return jsonAnswer(status, { success: false, message }, headers);
}

export { JSON_TYPE };
