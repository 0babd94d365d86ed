import {
  type ActionContext,
  type Done,
  perform,
  type RestaurantAction,
} from '../../db/actions/action.ts';
import { checkInput, type InputSchema } from '../../db/schema/validation/check-input.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';
import type { TextKey } from '../../db/texts/catalogues.ts';
import type { Say } from '../../db/texts/say.ts';
import { InvalidError } from '../http/errors.ts';
import { hashCookie } from '../http/random-cookie.ts';
import type { Desk } from './desk.ts';
import { sayBroken } from './texts/choose.ts';

/** Who acts at this desk, and on which restaurant. */
export function deskContext({ db, request, session, domain, now }: Desk): ActionContext {
  const { slug } = request.context.front.tenant;
  return {
    ...{ database: db, tenantId: request.tenantId, slug, domain, now: now() },
    actor: { kind: 'user', name: session.email },
    sessionHash: hashCookie(request.cookie),
  };
}

/**
 * Does the action that a form asks for.
 *
 * @param formId the form's name: its action is done once, however often the form is sent
 * @throws InvalidError, SessionEndedError
 */
export function performForm<S extends InputSchema, R>(
  desk: Desk,
  action: RestaurantAction<S, R>,
  sent: Record<string, unknown>,
  formId: string | null = null,
): Promise<Done<R>> {
  const checked = checkInput(action.input, sent);
  if ('errors' in checked) throw new InvalidError(checked.errors);
  const once = formId === null ? null : { key: 'form', credential: formId, request: '' };
  return perform(action, { ...deskContext(desk), once }, checked.input);
}

/**
 * The texts for the fields of a form that breaks rules.
 *
 * @param own a page's own texts, by the field and its rule, such as `email.unique`, or by the field
 * @param values for these, beside the parameters of the rule
 */
export function sayFields(
  say: Say,
  errors: FieldErrors,
  own: Readonly<Record<string, TextKey>> = {},
  values: Record<string, string | number> = {},
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [path, [one]] of Object.entries(errors)) {
    const [field = path] = path.split('.');
    if (!one) continue;
    const text = own[`${field}.${one.rule}`] ?? own[field];
    texts[field] ??= text ? say(text, { ...values, ...(one as object) }) : sayBroken(say, one);
  }
  return texts;
}
