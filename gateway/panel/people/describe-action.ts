import type { PeopleEntry } from '../../../db/sql/people-log.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Desk } from '../desk.ts';

/** An action on people in words: who did it, and what. */
export function describeAction({ request }: Desk, entry: PeopleEntry) {
  const { say } = request;
  const { actor_kind: kind, actor_name: name, action, subject, detail } = entry;
  const shown = action === 'invited' && detail ? say(`roles.${detail}` as TextKey) : detail;
  return {
    actor: kind === 'operator' ? say('people.operator') : (name ?? ''),
    text: say(`peopleLog.${action}`, { subject, detail: shown ?? '' }),
  };
}
