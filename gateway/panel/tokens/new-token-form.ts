import { constants } from '../../../db/runtime/constants.ts';
import { type Scope, scopes } from '../../../db/schema/scope.ts';
import { hasVisibleText } from '../../../db/schema/validation/safe-text.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import type { Form } from '../form.ts';
import { fieldError, hiddenFields, textField } from '../pages/fields.ts';
import { createCard } from '../pages/list-page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { newFormId } from '../writes/told.ts';

export interface NewTokenForm {
  name: string;
  scopes: readonly Scope[];
  nameError?: string | undefined;
  scopesError?: string | undefined;
}

/**
 * Spaces, and what would be invisible in a name or change the order of what follows; but for what joins
 * letters and emoji.
 */
const INVISIBLE = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Z}])+/gu;

function nameError(name: string, say: Say): string | undefined {
  if (!hasVisibleText(name)) return say('tokenForm.nameMissing');
  const max = constants.maxTokenNameLength;
  return [...name].length <= max ? undefined : say('tokenForm.nameTooLong', { max });
}

/** Reads a form that was sent, and checks it (SPEC, "States": a name and at least one scope). */
export function checkNewToken(form: Form, say: Say): NewTokenForm {
  const name = form.text('name').replace(INVISIBLE, ' ').trim();
  const given = new Set(form.list('scopes'));
  const known = scopes.filter((scope) => given.has(scope));
  const isComplete = known.length > 0 && known.length === given.size;
  return {
    name,
    scopes: known,
    nameError: nameError(name, say),
    scopesError: isComplete ? undefined : say('tokenForm.scopeMissing'),
  };
}

function scopeBox(request: PanelRequest, scope: Scope, form: NewTokenForm): Html {
  const { say } = request;
  const id = `scope-${scope.replace(':', '-')}`;
  const checked = form.scopes.includes(scope) && html` checked`;
  return html`<div class="choice">
    <input type="checkbox" name="scopes" value="${scope}" id="${id}" aria-describedby="${id}-hint"${checked}>
    <label for="${id}">${say(`scopes.${scope}.title`)}</label>
    <p class="hint" id="${id}-hint">${say(`scopes.${scope}.hint`)} <code>${scope}</code></p>
  </div>`;
}

export function newTokenForm(
  request: PanelRequest,
  form: NewTokenForm = { name: '', scopes: [] },
): Html {
  const { say } = request;
  const name = textField({
    id: 'name',
    label: say('tokenForm.name'),
    type: 'text',
    autocomplete: 'off',
    value: form.name,
    hint: say('tokenForm.nameHint'),
    error: form.nameError,
  });
  const described = form.scopesError === undefined ? 'scopes-hint' : 'scopes-hint scopes-error';
  const content = html`<form method="post" action="/admin/api-tokens" novalidate>
  ${hiddenFields(request)}
  <input type="hidden" name="form_id" value="${newFormId()}">
  ${name}
  <fieldset aria-describedby="${described}" class="${form.scopesError === undefined ? 'scopes' : 'scopes invalid'}">
    <legend>${say('tokenForm.scopes')}</legend>
    <p class="hint" id="scopes-hint">${say('tokenForm.scopesHint')}</p>
    ${scopes.map((scope) => scopeBox(request, scope, form))}
    ${fieldError('scopes', form.scopesError)}
  </fieldset>
  <button class="main wide">${say('tokenForm.submit')}</button>
</form>`;
  return createCard(say('tokenForm.title'), content);
}
