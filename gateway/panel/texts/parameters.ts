/** No text has it. */
const MARK = '\0';

/**
 * The values with which a template made a text, or null when it did not make it.
 *
 * @param template a function that puts each of its values into a text once, in their order
 */
export function parametersOf(
  template: (...values: string[]) => string,
  text: string,
): string[] | null {
  const parts = template(...Array<string>(template.length).fill(MARK)).split(MARK);
  const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const found = new RegExp(`^${escaped.join('([^]*)')}$`).exec(text);
  return found ? found.slice(1) : null;
}
