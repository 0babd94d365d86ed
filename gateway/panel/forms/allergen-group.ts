import { allergens } from '../../../db/schema/dictionary.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { type FormView, one } from './draft.ts';
import { choiceInput, group, inputId } from './inputs.ts';

const PRESENCES = [
  ['contains', 'editor.contains'],
  ['may', 'editor.may'],
  ['no', 'editor.no'],
] as const;

/** A box that settles all answers at once. */
function box({ say, draft }: FormView, name: string, label: TextKey, hint?: TextKey): Html {
  const checked = one(draft, name) === '1';
  const hints = hint && { hint: say(hint) };
  return choiceInput('checkbox', { name, value: '1', label: say(label), checked, ...hints });
}

/**
 * Whether allergens are declared, and for each of them: no, may contain, contains. A tap leads to the
 * next answer: the radio buttons lie on each other, the next one on top. While nothing is declared they
 * have no answer; "all the others: no" is an answer that somebody gives.
 */
export function allergenGroup(view: FormView, legend: Content): Html {
  const { say, draft, errors } = view;
  const isDeclared = one(draft, 'allergens.declared') === '1';
  const radio = (value: string, label: string, checked: boolean) =>
    choiceInput('radio', { name: 'allergens.declared', value, label, checked });
  const states = PRESENCES.map(([value, text]) => html`<b class="${value}">${say(text)}</b>`);
  const answers = allergens.keys.map((key) => one(draft, `allergen.${key}`));
  const rows = allergens.keys.map((key) => {
    const name = `allergen.${key}`;
    const present = one(draft, name);
    const presences = PRESENCES.map(([value, text]) => {
      const id = inputId(`${name}.${value}`);
      const checked = value === present && html` checked`;
      return html`<input type="radio" class="presence ${value}" id="${id}" name="${name}" value="${value}" aria-label="${say(text)}"${checked}>`;
    });
    const title = say(allergens.label(key));
    return html`<fieldset class="allergen"><legend>${title}</legend>${presences}<span class="face" aria-hidden="true">${title}${states}</span></fieldset>`;
  });
  const error = errors.allergens ?? errors.traces;
  // Without script a chosen answer stays chosen: this takes all of them back.
  const forget =
    error !== undefined && !isDeclared && box(view, 'allergens.forget', 'contradictions.forget');
  const content = html`${forget}
<div class="allergens" data-ticks="${inputId('allergens.declared.1')}" data-cleared-by="${inputId('allergens.declared.0')}">${rows}
${answers.includes('') && box(view, 'allergens.rest', 'contradictions.rest', 'contradictions.restHint')}</div>
<div class="declared">${radio('0', say('editor.undeclared'), !isDeclared)}
${radio('1', say('editor.declared'), isDeclared)}</div>`;
  return group('allergens', legend, content, { error, hint: say('editor.declaredHint') });
}
