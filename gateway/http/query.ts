/**
 * The parameters of a query string. A parameter that is given twice counts with its last value, and
 * one that is blank counts as not given. Percent signs that encode nothing stay as they are.
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const text = value.trim();
    if (text === '') parameters.delete(name);
    else parameters.set(name, text);
  }
  return parameters;
}
