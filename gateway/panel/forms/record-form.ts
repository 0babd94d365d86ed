import type { Field } from '../../../db/schema/field.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import { isTextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { FIELD_GROUPS } from '../texts/field-groups.ts';
import { fieldControl } from './controls.ts';
import type { FormView } from './draft.ts';
import { editableFields, type FormDraft, one } from './draft.ts';
import { inputId } from './inputs.ts';
import { otherTexts } from './text-group.ts';

/** The values of an ordinary record, which need no look. */
const USUAL: Readonly<Record<string, string>> = {
  sold_out_until: 'no',
  is_active: '1',
  chain_size: 'none',
};

/** Whether a group of fields holds something that is not usual, or something wrong. */
function isUsed({ draft, errors, remarks, focused }: FormView, names: readonly string[]): boolean {
  const isOf = (key: string) => names.some((name) => key === name || key.startsWith(`${name}.`));
  const isOdd = ([key, values]: readonly [string, readonly string[]]) =>
    isOf(key) && values.some((value) => value !== '' && value !== USUAL[key]);
  const isHidden = names.includes('is_active') && one(draft, 'is_active') !== '1';
  if (focused !== null && names.includes(focused)) return true;
  return isHidden || [...draft].some(isOdd) || Object.keys({ ...errors, ...remarks }).some(isOf);
}

/** Whether most of the dishes beside a new one use a group: then it is open for that, too. */
function isUsual({ neighbours = [], ...view }: FormView, names: readonly string[]): boolean {
  const using = neighbours.filter((draft) =>
    isUsed({ ...view, draft, errors: {}, remarks: {} }, names),
  );
  return using.length * 2 > neighbours.length;
}

function part(view: FormView, title: string, controls: Content, names: readonly string[]): Html {
  const open = (isUsed(view, names) || isUsual(view, names)) && html` open`;
  return html`<details class="card part"${open}><summary><h2>${title}</h2></summary>${controls}</details>`;
}

/** The groups of a form; those of a wine begin with what a wine has. */
function groupsOf(resource: string, isWine: boolean) {
  const groups = FIELD_GROUPS[resource] ?? [];
  if (!isWine) return groups;
  const isOwn = ({ fields }: (typeof groups)[number]) => fields.includes('winery_id');
  const [first, ...others] = groups.filter((group) => !isOwn(group));
  const own = groups.filter(isOwn).map((group) => ({ ...group, isFolded: false }));
  return [first, ...own, ...others].filter((group) => group !== undefined);
}

/** Every field of a record's declaration, in groups; those that few need are folded. */
export function recordFields(record: RecordType, view: FormView): Html {
  const fields = new Map<string, Field>(editableFields(record));
  const groups = groupsOf(record.resource, view.isWine).map(
    ({ title, fields: names, isFolded, isFirst }) => {
      const own = names.flatMap((name) => {
        const field = fields.get(name);
        fields.delete(name);
        return field ? [{ name, field }] : [];
      });
      const shown = isFirst ? { ...view, isBrief: true } : view;
      const controls = own.map(({ name, field }) => fieldControl(shown, name, field));
      const text = view.say(title);
      if (isFolded) return part(view, text, controls, names);
      if (!isFirst) return html`<section class="card part"><h2>${text}</h2>${controls}</section>`;
      const texts = own.filter(({ field }) => field.isTranslated);
      return html`<section class="card part first"><h2 class="hidden">${text}</h2>${controls}</section>
${texts.map(({ name, field }) => otherTexts(view, name, view.say(field.options.label)))}`;
    },
  );
  const rest = [...fields].map(([name, field]) => fieldControl(view, name, field));
  const more = view.say('editor.more');
  return html`${groups}
${rest.length > 0 && part(view, more, rest, [...fields.keys()])}`;
}

/** The objects of lists that a control stands in, such as “Course 2”, “Option 3”. */
function rowsOf(say: Say, path: string): string[] {
  const steps = path.split('.');
  return steps.flatMap((step, at) => {
    const key = `rows.${steps[at - 1]}.one`;
    return /^\d+$/.test(step) && isTextKey(key) ? [say(key, { n: Number(step) + 1 })] : [];
  });
}

/** Links to the fields that are wrong. */
export function errorLinks(record: RecordType, { say, errors }: FormView): Html {
  const items = Object.entries(errors).map(([name, text]) => {
    const field: Field | undefined = record.fields[name.split('.')[0] ?? ''];
    const label = field ? `${[say(field.options.label), ...rowsOf(say, name)].join(', ')}: ` : '';
    return html`<li><a href="#${inputId(name)}">${label}${text}</a></li>`;
  });
  return html`<ul>${items}</ul>`;
}

/** A draft in one hidden field: what the form showed when it was opened. */
export function packDraft(draft: FormDraft): string {
  return JSON.stringify([...draft].filter(([, values]) => values.some((value) => value !== '')));
}

/** Undoes `packDraft`; what it did not make is an empty draft. */
export function unpackDraft(text: string): FormDraft {
  try {
    const entries: unknown = JSON.parse(text);
    if (!Array.isArray(entries)) return new Map();
    return new Map(
      entries.flatMap((entry: unknown): [string, string[]][] => {
        if (!Array.isArray(entry)) return [];
        const [name, values]: unknown[] = entry;
        return typeof name === 'string' && Array.isArray(values)
          ? [[name, values.map((value) => String(value).replaceAll('\0', ''))]]
          : [];
      }),
    );
  } catch {
    return new Map();
  }
}
