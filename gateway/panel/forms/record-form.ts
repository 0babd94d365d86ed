import type { Field } from '../../../db/schema/field.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import { isTextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { FIELD_GROUPS } from '../texts/field-groups.ts';
import { fieldControl } from './controls.ts';
import { editableFields, type FormDraft, type FormView, one } from './draft.ts';
import { inputId } from './inputs.ts';
import { otherTexts } from './text-group.ts';

/** The values of an ordinary record, which need no look. */
const USUAL: Readonly<Record<string, string>> = {
  sold_out_until: 'no',
  is_active: '1',
  chain_size: 'none',
};

/** The fields that hold something that is not usual, or something wrong. */
function usedFields({ draft, errors, remarks, focused }: FormView): ReadonlySet<string> {
  const isOdd = ([key, values]: readonly [string, readonly string[]]) =>
    values.some((value) => value !== '' && value !== USUAL[key]);
  const odd = [...draft].filter(isOdd).map(([key]) => key);
  const names = [...odd, ...Object.keys(errors), ...Object.keys(remarks)];
  const used = new Set(names.map((name) => name.split('.', 1)[0] ?? ''));
  if (focused !== null) used.add(focused);
  if (one(draft, 'is_active') !== '1') used.add('is_active');
  return used;
}

/** Whether a group of fields is open: the record uses it, or most of those beside a new one do. */
function openGroups(view: FormView): (names: readonly string[]) => boolean {
  const { neighbours = [] } = view;
  const own = usedFields(view);
  const beside = neighbours.map((draft) => usedFields({ ...view, draft, errors: {}, remarks: {} }));
  return (names) => {
    const isIn = (used: ReadonlySet<string>) => names.some((name) => used.has(name));
    return isIn(own) || beside.filter(isIn).length * 2 > beside.length;
  };
}

function part(title: string, controls: Content, isOpen: boolean): Html {
  return html`<details class="card part"${isOpen && html` open`}><summary><h2>${title}</h2></summary>${controls}</details>`;
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
  const isOpen = openGroups(view);
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
      if (isFolded) return part(text, controls, isOpen(names));
      if (!isFirst) return html`<section class="card part"><h2>${text}</h2>${controls}</section>`;
      const texts = own.filter(({ field }) => field.isTranslated);
      return html`<section class="card part first"><h2 class="hidden">${text}</h2>${controls}</section>
${texts.map(({ name, field }) => otherTexts(view, name, view.say(field.options.label)))}`;
    },
  );
  const rest = [...fields].map(([name, field]) => fieldControl(view, name, field));
  const more = view.say('editor.more');
  return html`${groups}
${rest.length > 0 && part(more, rest, isOpen([...fields.keys()]))}`;
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
