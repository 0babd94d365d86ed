import { errorBody } from './envelope.ts';
import type { JoinedBody } from './joined-body.ts';
import type { OpenStream } from './sink.ts';

/** A finished HTTP answer: what is left to add are the headers that depend on the client. */
export interface Answer {
  /** Code and reason, as the status line has them. */
  status: string;
  /** The status and all header lines, joined by CRLF: one crossing into the HTTP library. */
  head: Buffer;
  /** Null where the status allows no body. */
  body: AnswerContent | null;
  /** Of the body in bytes, or of the one that a 304 stands for. */
  length: number;
  /** Called when the head is sent, in place of a body, for an answer that goes on. */
  stream?: OpenStream;
}

/** The bytes of a body, or what they are joined of when it is sent. */
export type AnswerContent = Uint8Array | JoinedBody;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers of pages. They switch features of the browser off, and keep windows of other sites apart. */
export const PAGE_HEADERS = {
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Cache-Control and other headers as lines. */
export function headerLines(cacheControl: string, headers: Record<string, string>): string {
  let lines = `Cache-Control: ${cacheControl}`;
  for (const name of Object.keys(headers)) lines += `\r\n${name}: ${headers[name]}`;
  // Every body is what it says it is.
  return 'Content-Type' in headers ? `${lines}\r\nX-Content-Type-Options: nosniff` : lines;
}

/**
 * @param lines all headers
 * @param body null where the status allows none
 * @param length of a body that the client has already
 */
export function answerWith(
  status: string,
  lines: string,
  body: AnswerContent | null,
  length = body?.length ?? 0,
): Answer {
  return { status, head: Buffer.from(`${status}\r\n${lines}`), body, length };
}

/** @param body null where the status allows none */
export function createAnswer(
  status: string,
  cacheControl: string,
  headers: Record<string, string>,
  body: Uint8Array | null,
): Answer {
  return answerWith(status, headerLines(cacheControl, headers), body);
}

/** The answer with another header line. */
export function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, head: Buffer.concat([answer.head, Buffer.from(`\r\n${name}: ${value}`)]) };
}

/**
 * A JSON answer that no cache may store: errors and everything of the admin API.
 *
 * @param json finished
 */
export function jsonAnswer(status: string, json: string, headers: Record<string, string> = {}) {
  const all = { 'Content-Type': JSON_TYPE, ...headers };
  return createAnswer(status, 'no-store', all, Buffer.from(json));
}

/** The error envelope (SPEC, "Errors"). */
export function errorAnswer(status: string, message: string, headers: Record<string, string> = {}) {
  return jsonAnswer(status, errorBody(message), headers);
}

/** Server-Sent Events, which go on after the head of their answer; HEAD gets no more than that. */
export function streamAnswer(method: string, stream: OpenStream): Answer {
  // Proxies such as nginx would hold the pieces back.
  const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
  const head = createAnswer('200 OK', 'no-store', headers, null);
  return method === 'head' ? head : { ...head, stream };
}
