import { LOCKABLE, setDishRules } from '../../../db/actions/chain-rules.ts';
import { policyOf } from '../../../db/actions/chains.ts';
import type { Field } from '../../../db/schema/field.ts';
import { records } from '../../../db/schema/registry.ts';
import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type ActionForm, actionFormOf, answerForm, type FormState } from '../forms/action-form.ts';
import { writeDecimal } from '../forms/draft.ts';
import { redirectAnswer, titledPage } from '../pages/page.ts';
import { CHAIN_PATH, ofMaster, POLICY_PATH, wayToChain } from './chain.ts';

async function rulesPage(desk: Desk, state: FormState): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const { fields } = await policyOf(db, tenantId);
  const rules = fields.items ?? {};
  const { price } = rules;
  const values = {
    locked: LOCKABLE.filter((name) => rules[name] === 'locked'),
    bounded: typeof price === 'object' ? writeDecimal(price.bounded, request) : '',
  };
  const form = actionFormOf(request, rulesForm, { values, ...state });
  return titledPage(desk, {
    ...{ state, title: say('chain.rules'), intro: say('chain.rulesIntro') },
    ...{ way: wayToChain(say), content: html`<section class="card part">${form}</section>` },
    place: 'chain',
  });
}

const labelOf = (name: string) =>
  (records.items.fields as Record<string, Field>)[name]?.options.label;

const rulesForm: ActionForm<typeof setDishRules.input, null> = {
  action: setDishRules,
  path: POLICY_PATH,
  fields: [
    { kind: 'text', name: 'bounded', label: 'chain.bounded', hint: 'chain.boundedHint' },
    {
      ...{ kind: 'some', name: 'locked', label: 'chain.locked', hint: 'chain.lockedHint' },
      ...{ item: 'locked', options: LOCKABLE },
      describe: (say, name) => {
        const label = labelOf(name);
        return { label: label ? say(label) : name, hint: null };
      },
    },
  ],
  submit: 'editor.save',
  page: rulesPage,
  done: ({ request }) => redirectAnswer(request, `${CHAIN_PATH}?done=rules`),
};

/** `GET /admin/chain/policy`: what houses may change of their dishes. */
export const showPolicy = ofMaster((desk) => rulesPage(desk, {}));

/** `POST /admin/chain/policy` */
export const changePolicy = ofMaster((desk) => answerForm(desk, rulesForm));
