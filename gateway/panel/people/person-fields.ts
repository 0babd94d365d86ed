import * as v from 'valibot';
import { constants } from '../../../db/runtime/constants.ts';
import { type Role, roles } from '../../../db/schema/role.ts';
import { hasVisibleText, isSafeLine } from '../../../db/schema/validation/safe-text.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';

const address = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.rfcEmail(),
  v.maxLength(constants.maxEmailLength),
);

/** An e-mail address as it is stored; null for a text that is none. */
export function readEmail(text: string): string | null {
  const read = v.safeParse(address, text);
  return read.success ? read.output : null;
}

/** A person's name as it is stored; null for one that is blank, too long or deceives. */
export function readName(text: string): string | null {
  const name = text.trim().normalize('NFC');
  const isName = hasVisibleText(name) && isSafeLine(name);
  return isName && [...name].length <= constants.maxPersonNameLength ? name : null;
}

export function readRole(text: string): Role | null {
  return roles.find((role) => role === text) ?? null;
}

/** A button for each role, with a hint of what it allows. */
export function roleChoice(say: Say, chosen: Role): Html {
  const choices = roles.map((role) => {
    const checked = role === chosen && html` checked`;
    return html`<div class="choice">
    <input type="radio" name="role" value="${role}" id="role-${role}" aria-describedby="role-${role}-hint"${checked}>
    <label for="role-${role}">${say(`roles.${role}`)}</label>
    <p class="hint" id="role-${role}-hint">${say(`roles.${role}Hint`)}</p>
  </div>`;
  });
  return html`<fieldset class="scopes"><legend>${say('people.role')}</legend>${choices}</fieldset>`;
}
