import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Content } from '../../http/html.ts';
import type { PanelRequest } from '../panel-request.ts';
import { notice } from './fields.ts';

/** Word of what was just done, which the address of the page says; nothing for other words. */
export function doneNotice(
  { context, say }: PanelRequest,
  texts: Readonly<Record<string, TextKey>>,
): Content {
  const done = new URLSearchParams(context.query).get('done') ?? '';
  const text = Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text !== undefined && notice('good', say(text));
}
