import * as v from 'valibot';
import { described } from './validation/described-as.ts';

/** How a branch's record follows one of its master, as admins see it; null for a record of its own. */
export const chainLinkSchema = described(
  v.nullable(
    v.object({
      master_id: described(v.number(), 'The id of the master’s record.'),
      own_fields: described(
        v.array(v.string()),
        'The fields that the branch has changed: they do not follow the master.',
      ),
    }),
  ),
  'How it follows a record of the chain’s master; null for a record of its own.',
);
