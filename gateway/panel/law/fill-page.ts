import type { Checked } from '../../../db/law/checklist.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { ALLERGEN_OF } from '../../../db/schema/dictionary.ts';
import { dish as dishRecord, type StoredDish } from '../../../db/schema/dish.ts';
import type { Field } from '../../../db/schema/field.ts';
import { documentedValue, type RecordType } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import { listIn, type Row, rowsIn } from '../../../db/schema/values/row.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import { readChecklist } from '../../routes/checklist.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { fieldControl } from '../forms/controls.ts';
import { type FormDraft, type FormView, isNothing, one } from '../forms/draft.ts';
import { choiceInput, input } from '../forms/inputs.ts';
import { readField } from '../forms/read-draft.ts';
import { notice, onceFields } from '../pages/fields.ts';
import { gonePage } from '../pages/message-page.ts';
import { type PageState, titledPage } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { formPlace } from '../records/record-page.ts';
import { messageNotice, redirectTelling } from '../writes/message.ts';
import { type PanelOperation, saveMany, sayNotDone } from '../writes/save-many.ts';
import { showChecklist } from './checklist-page.ts';
import { CHECKLIST_PATH, FILLABLE, fieldPath, fillableField } from './read-checklist.ts';

const items: RecordType = records.items;

type Filling = NonNullable<ReturnType<typeof fillingOf>>;

/** A rule, the field that its dishes lack, and these dishes; null when there is no such rule. */
function fillingOf(desk: Desk, menu: StoredMenu, checked: readonly Checked[]) {
  const wanted = parseQuery(desk.request.context.query).get('rule');
  const found = checked.find(({ rule }) => rule.rule === wanted);
  const field = found && fillableField(found);
  if (!found || field === undefined) return null;
  const byId = new Map(menu.dishes.map((row) => [row.id, row]));
  const dishes = found.missing.flatMap(({ id, name, field: lacking }) => {
    const row = byId.get(id);
    return row && lacking === field ? [{ row, name }] : [];
  });
  return { rule: found.rule, field, dishes };
}

function viewOf(desk: Desk, draft: FormDraft): FormView {
  const { request, say } = desk;
  return {
    ...{ say, place: formPlace(desk), draft, errors: {}, remarks: {}, options: {} },
    locales: [request.context.restaurant.tenant.fallbackLocale],
    ...{ focused: null, isWine: false },
  };
}

/** Whether the rule asks for the origin of meat: a dish may state that it has none. */
const asksForMeat = ({ rule }: Filling) => rule.check === 'origins' && rule.found === 'meat';

/** The first row of origins is of a kind that the rule is about. */
const firstDraft = ({ rule }: Filling): FormDraft =>
  new Map(rule.check === 'origins' ? [['origins.0.kind', rule.kinds.slice(0, 1)]] : []);

/** Dishes to tick, below one value for all of them. */
function sharedPart(desk: Desk, filling: Filling, draft: FormDraft): Html {
  const { field, dishes } = filling;
  const { say } = desk;
  const ticked = new Set(draft.get('dish'));
  const boxes = dishes.map(({ row, name }) =>
    choiceInput('checkbox', {
      ...{ name: 'dish', value: String(row.id), checked: ticked.has(String(row.id)) },
      label: html`<a href="${fieldPath({ resource: 'items', id: row.id, field })}" dir="auto">${name}</a>`,
    }),
  );
  const all = choiceInput('checkbox', {
    ...{ name: 'all', value: '1', label: say('law.all'), checked: one(draft, 'all') === '1' },
  });
  const control = fieldControl(viewOf(desk, draft), field, {
    ...(items.fields[field] as Field),
    max: 1,
  });
  const meatless =
    asksForMeat(filling) &&
    html`<button class="button" name="do" value="vegetarian">${say('law.noMeat')}</button>`;
  return html`<p class="hint">${say('law.fillHint')}</p>
${control}
<fieldset class="field"><legend>${say('places.menu')}</legend>${all}${boxes}</fieldset>
<div class="save"><button class="main" name="do" value="save">${say('law.save')}</button>${meatless}</div>`;
}

/** A value for each dish. */
function eachPart(desk: Desk, { field, dishes }: Filling, draft: FormDraft): Html {
  const { say } = desk;
  const rows = dishes.map(({ row, name }) =>
    input({
      ...{ name: `value.${row.id}`, value: one(draft, `value.${row.id}`) },
      label: html`<a href="${fieldPath({ resource: 'items', id: row.id, field })}" dir="auto">${name}</a>`,
      inputmode: field === 'price' ? 'decimal' : 'numeric',
    }),
  );
  const label = say((items.fields[field] as Field).options.label);
  return html`<p class="hint">${say('law.fillEach')}</p>
<fieldset class="field law-each"><legend>${label}</legend>${rows}</fieldset>
<div class="save"><button class="main" name="do" value="save">${say('law.save')}</button></div>`;
}

interface FillState extends PageState {
  draft?: FormDraft;
}

async function fillPage(desk: Desk, filling: Filling, state: FillState = {}): Promise<Answer> {
  const { request, say } = desk;
  const draft = state.draft ?? firstDraft(filling);
  const title = say(`law.titles.${filling.rule.title}`);
  const part = FILLABLE[filling.field] === 'each' ? eachPart : sharedPart;
  const content = html`<form class="editor" method="post" action="${CHECKLIST_PATH}/fill?rule=${filling.rule.rule}" novalidate>
${onceFields(request)}
${part(desk, filling, draft)}</form>`;
  return titledPage(desk, {
    state: { ...state, notice: state.notice ?? (await messageNotice(desk)) },
    ...{ title, way: [CHECKLIST_PATH, say('law.title')], content, place: 'checklist' },
  });
}

/** `GET /admin/checklist/fill`: the dishes that lack a field by a rule, and a way to fill it for many. */
export async function showFill(desk: Desk): Promise<Answer> {
  if (!parseQuery(desk.request.context.query).has('rule')) return showChecklist(desk);
  const { menu, checked } = await readChecklist(desk, desk.request.language);
  const filling = fillingOf(desk, menu, checked);
  return filling ? fillPage(desk, filling) : gonePage(desk, desk.say('law.title'), 'checklist');
}

/** The origins of a dish with one more; one of the same kind gets the parts that it lacks. */
function withOrigin(dish: StoredDish, sent: Row): readonly Row[] {
  const present = rowsIn(documentedValue(items, { ...dish }, 'origins'));
  const at = present.findIndex(({ kind, country }) => kind === sent.kind && isNothing(country));
  if (at < 0) return [...present, sent];
  const said = Object.fromEntries(Object.entries(sent).filter(([, value]) => !isNothing(value)));
  return present.map((one, place) => (place === at ? { ...one, ...said } : one));
}

/** The new value of a field of one dish; undefined when there is none. */
function valueFor(desk: Desk, field: string, dish: StoredDish, draft: FormDraft): unknown {
  const declared = items.fields[field] as Field;
  const place = formPlace(desk);
  if (FILLABLE[field] === 'each') {
    const text = one(draft, `value.${dish.id}`).trim();
    if (text === '') return undefined;
    return readField(`value.${dish.id}`, declared, draft, place);
  }
  if (field === 'origins') {
    const [sent] = rowsIn(readField(field, declared, draft, place));
    // Its kind is chosen before anything is said.
    const says = ([part, value]: [string, unknown]) => part !== 'kind' && !isNothing(value);
    return sent && Object.entries(sent).some(says) ? withOrigin(dish, sent) : undefined;
  }
  // A dish takes the kinds of the allergens that it has.
  const has: readonly unknown[] = [...dish.allergens, ...dish.traces];
  const chosen = listIn(readField(field, declared, draft, place));
  const own = chosen.filter((kind) => has.includes(ALLERGEN_OF.get(String(kind))));
  return own.length > 0 ? [...new Set([...dish.allergen_detail, ...own])] : undefined;
}

/** The changes that a form asks for. */
function operationsOf(desk: Desk, filling: Filling, form: Form): PanelOperation[] {
  const { field, dishes } = filling;
  const draft = form.all();
  const isVegetarian = asksForMeat(filling) && form.text('do') === 'vegetarian';
  const name = isVegetarian ? 'labels' : field;
  const ticked = new Set(draft.get('dish'));
  const isEach = FILLABLE[field] === 'each';
  return dishes.flatMap(({ row }) => {
    if (!isEach && form.text('all') !== '1' && !ticked.has(String(row.id))) return [];
    const value = isVegetarian ? [...row.labels, 'vegetarian'] : valueFor(desk, field, row, draft);
    if (value === undefined) return [];
    const expected = { [name]: documentedValue(items, { ...row }, name) };
    return [{ resource: dishRecord.resource, id: row.id, data: { [name]: value }, expected }];
  });
}

/** `POST /admin/checklist/fill`: fills a field of many dishes as one write. */
export async function changeFill(desk: Desk): Promise<Answer> {
  const { request, say } = desk;
  const form = await readForm(request.context, constants.maxRecordFormBytes);
  const { menu, checked } = await readChecklist(desk, desk.request.language);
  const filling = fillingOf(desk, menu, checked);
  if (!filling) return gonePage(desk, say('law.title'), 'checklist');
  const refuse = (status: string, text: string) =>
    fillPage(desk, filling, { status, draft: form.all(), notice: notice('bad', text) });
  if (!isOwnForm(request, form.text('form_token'))) {
    return refuse('403 Forbidden', say('failures.stale'));
  }
  const operations = operationsOf(desk, filling, form);
  if (operations.length === 0) {
    return refuse('422 Unprocessable Content', say('law.nothingChosen'));
  }
  const key = ['checklist', form.text('form_id'), JSON.stringify(operations)];
  const saved = await saveMany(desk, operations, key);
  switch (saved.kind) {
    case 'done': {
      const values = { n: operations.length };
      return redirectTelling(desk, key, CHECKLIST_PATH, {
        text: 'many',
        values,
        undo: saved.write,
      });
    }
    case 'refused': {
      const [{ index, error, isOutdated } = { index: -1, error: '', isOutdated: false }] =
        saved.refusals;
      const id = operations[index]?.id;
      const name = filling.dishes.find(({ row }) => row.id === id)?.name;
      const text = say('law.refused', { error: name ? `${name}: ${error}` : error });
      return refuse(isOutdated ? '409 Conflict' : '422 Unprocessable Content', text);
    }
    default:
      return fillPage(desk, filling, { ...sayNotDone(desk, saved), draft: form.all() });
  }
}
