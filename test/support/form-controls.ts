import { groupBy } from '../../db/runtime/group-by.ts';
import { formOf, plainText } from './page-forms.ts';
import { often } from './thorough.ts';

type Fields = Record<string, string | string[]>;

/** A form in which one control alone holds another value than the page gave it. */
export interface OneChange {
  /** The control's name. */
  name: string;
  /** The new value, or how it was changed. */
  what: string;
  fields: Fields;
}

const attribute = (tag: string, name: string) =>
  plainText(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

const listOf = (fields: Fields, name: string): string[] => [fields[name] ?? []].flat();

/** Radios and boxes: each that is off is chosen, and each box that is on is unticked. */
function choices(tag: string, fields: Fields): OneChange[] {
  const [name = '', value = '', type] = ['name', 'value', 'type'].map((one) => attribute(tag, one));
  const isOn = tag.includes(' checked');
  if (type === 'radio') {
    return isOn ? [] : [{ name, what: value, fields: { ...fields, [name]: value } }];
  }
  const others = listOf(fields, name).filter((one) => one !== value);
  const list = isOn ? others : [...listOf(fields, name), value];
  return [{ name, what: `${isOn ? 'not ' : ''}${value}`, fields: { ...fields, [name]: list } }];
}

/** Fields for text: each gets another value, and is emptied when it has one. */
function typed(tag: string, fields: Fields, valueFor: (tag: string) => string): OneChange[] {
  const name = attribute(tag, 'name');
  const before = listOf(fields, name)[0] ?? '';
  const values = [valueFor(tag), ...(before === '' ? [] : [''])];
  return values
    .filter((value) => value !== before)
    .map((value) => ({
      ...{ name, what: value === '' ? 'emptied' : value },
      fields: { ...fields, [name]: value },
    }));
}

function selected(name: string, options: string, fields: Fields): OneChange[] {
  const before = listOf(fields, name)[0] ?? '';
  return Array.from(options.matchAll(/<option value="([^"]*)"/g), ([, value = '']) => value)
    .filter((value) => value !== before)
    .map((value) => ({ name, what: value, fields: { ...fields, [name]: value } }));
}

/**
 * All ways to change one control of a page's form and nothing else.
 *
 * @param kind the form's class
 * @param valueFor a value that a person may type into a field, by its tag
 */
export function oneChanges(
  page: string,
  kind: string,
  valueFor: (tag: string) => string,
): OneChange[] {
  const form = new RegExp(`<form class="${kind}"[\\s\\S]*?</form>`).exec(page)?.[0] ?? '';
  const fields = formOf(page, kind);
  const inputs = Array.from(form.matchAll(/<(?:input|textarea)\b[^>]*>/g), ([tag]) => tag);
  const typeOf = (tag: string) => attribute(tag, 'type');
  // A picture travels in a form of another encoding; the tests of photos send it.
  const isSent = (tag: string) => attribute(tag, 'name') !== '';
  const shown = inputs.filter((tag) => isSent(tag) && !['hidden', 'file'].includes(typeOf(tag)));
  const selects = Array.from(
    form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g),
    ([, name = '', options = '']) => selected(name, options, fields),
  );
  const changes = shown.map((tag) =>
    ['radio', 'checkbox'].includes(typeOf(tag))
      ? choices(tag, fields)
      : typed(tag, fields, valueFor),
  );
  return fewOfEach([...changes, ...selects].flat());
}

/** Choices of one name that are tried: the fifty languages of a list are one mechanism. */
const MOST_CHOICES = often(3, 8);
/** Controls of a kind that are tried: the fourteen allergens, or the rows of a list. */
const MOST_OF_A_KIND = often(3, Number.POSITIVE_INFINITY);

const kindOf = ({ name }: OneChange) => name.replace(/(?<=^allergen\.).*|\d+/, '*');

/** The first changes of each name, and its last. */
function fewOfEach(changes: readonly OneChange[]): OneChange[] {
  const kinds = [...groupBy(changes, kindOf).values()];
  return kinds
    .map((kind) => [...groupBy(kind, ({ name }) => name).values()])
    .flatMap((names) => names.slice(0, MOST_OF_A_KIND))
    .flatMap((all) =>
      all.length <= MOST_CHOICES ? all : [...all.slice(0, MOST_CHOICES - 1), ...all.slice(-1)],
    );
}
