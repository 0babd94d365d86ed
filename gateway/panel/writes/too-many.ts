import type { Html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { notice } from '../pages/fields.ts';
import type { TooMany } from './send-write.ts';

/** The page for people who change too much in a minute; it keeps the values that they typed. */
export function sayTooMany(
  { request, constants }: Desk,
  { wait }: TooMany,
): { status: string; headers: Record<string, string>; notice: Html } {
  const seconds = Math.ceil(wait / 1_000);
  const text = request.say('editor.tooMany', { n: constants.maxPanelWrites, seconds });
  return {
    status: '429 Too Many Requests',
    headers: { 'Retry-After': String(seconds) },
    notice: notice('bad', text),
  };
}
