/** Undoes the entities of an attribute. */
export function plainText(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/** The value of a page's hidden field. */
export function hiddenField(text: string, name: string): string {
  const [, value = ''] = new RegExp(`name="${name}" value="([^"]*)"`).exec(text) ?? [];
  return plainText(value);
}

/**
 * The values that a form of a page would send as it is, without its buttons.
 *
 * @param kind the form's class: `editor` of a record, `list` of dishes
 */
export function formOf(text: string, kind = 'editor'): Record<string, string | string[]> {
  const entries: [string, string][] = [];
  const form = new RegExp(`<form class="${kind}"[\\s\\S]*?</form>`).exec(text)?.[0] ?? '';
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const type = /type="(\w[\w-]*)"/.exec(tag)?.[1];
    const name = /name="([^"]*)"/.exec(tag)?.[1] ?? '';
    const isOff = (type === 'checkbox' || type === 'radio') && !tag.includes(' checked');
    if (!isOff) entries.push([name, plainText(/value="([^"]*)"/.exec(tag)?.[1] ?? '')]);
  }
  for (const [, name = '', value = ''] of form.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/g,
  )) {
    entries.push([name, plainText(value)]);
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  )) {
    // Where nothing is selected, browsers send the first option.
    const chosen =
      /value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options);
    entries.push([name, plainText(chosen?.[1] ?? '')]);
  }
  const fields: Record<string, string[]> = {};
  for (const [name, value] of entries) fields[name] = [...(fields[name] ?? []), value];
  return fields;
}
