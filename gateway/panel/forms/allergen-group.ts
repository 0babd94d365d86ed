import { allergens } from '../../../db/schema/allergens.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { FormView } from './controls.ts';
import { one } from './draft.ts';
import { choice, group, inputId } from './inputs.ts';

const PRESENCES = [
  ['no', 'editor.no'],
  ['may', 'editor.may'],
  ['contains', 'editor.contains'],
] as const;

/** Whether allergens are declared, and for each of them: no, may contain, contains. */
export function allergenGroup({ say, draft, errors }: FormView, legend: Content): Html {
  const isDeclared = one(draft, 'allergens.declared') === '1';
  const radio = (value: string, label: string, checked: boolean) =>
    choice('radio', { name: 'allergens.declared', value, label, checked });
  const rows = allergens.keys.map((key) => {
    const name = `allergen.${key}`;
    const present = one(draft, name) || 'no';
    const presences = PRESENCES.map(([value, text]) => {
      const id = inputId(`${name}.${value}`);
      const checked = value === present && html` checked`;
      return html`<span class="presence ${value}"><input type="radio" id="${id}" name="${name}" value="${value}"${checked}><label for="${id}">${say(text)}</label></span>`;
    });
    return html`<fieldset class="allergen"><legend>${say(allergens.label(key))}</legend><div class="presences">${presences}</div></fieldset>`;
  });
  const content = html`${radio('0', say('editor.undeclared'), !isDeclared)}
${radio('1', say('editor.declared'), isDeclared)}
<div class="allergens">${rows}</div>`;
  return group('allergens', legend, content, {
    error: errors.allergens ?? errors.traces,
    hint: say('editor.declaredHint'),
  });
}
