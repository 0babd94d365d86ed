import { bodyTexts } from '../../../db/schema/validation/messages.ts';
import type { Say } from '../../../db/texts/say.ts';
import { parametersOf } from './parameters.ts';

/** The text of what a worker told in Italian of a whole file, or null when it told something else. */
export function sayBodyTrouble(say: Say, italian: string): string | null {
  for (const [name, template] of Object.entries(bodyTexts)) {
    const values = parametersOf(template as (...values: string[]) => string, italian);
    if (values)
      return say(
        `bodyErrors.${name as keyof typeof bodyTexts}`,
        Object.fromEntries(values.entries()),
      );
  }
  return null;
}
