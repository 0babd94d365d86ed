import { type Content, html } from '../../http/html.ts';
import type { Form } from '../form.ts';
import { isPanelPath } from '../panel-path.ts';

/** A form that somebody sent after the session had ended, and what it held. */
export interface KeptForm {
  path: string;
  /** As the browser sent it. */
  body: string;
}

/** Where somebody goes after signing in, and with what. */
export interface Purpose {
  next: string | null;
  kept: KeptForm | null;
}

/** Longest form that is kept, in bytes; it becomes three times as long inside another one. */
export const MAX_KEPT = 131_072;

/** Hidden fields of the sign-in form. */
export function purposeFields({ next, kept }: Purpose): Content {
  return html`${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${kept && html`<input type="hidden" name="kept_path" value="${kept.path}"><input type="hidden" name="kept" value="${kept.body}">`}`;
}

/** The hidden fields of a sent sign-in form. */
export function readPurpose(form: Form): Purpose {
  const [next, path] = [form.text('next'), form.text('kept_path')];
  const body = form.secret('kept');
  const isKept = isPanelPath(path) && body !== '' && body.length <= MAX_KEPT;
  return { next: isPanelPath(next) ? next : null, kept: isKept ? { path, body } : null };
}
