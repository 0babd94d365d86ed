import * as v from 'valibot';

/** How a branch's record follows one of its master, as admins see it; null for a record of its own. */
export const chainLinkSchema = v.pipe(
  v.nullable(
    v.object({
      master_id: v.pipe(v.number(), v.description('The id of the master’s record.')),
      own_fields: v.pipe(
        v.array(v.string()),
        v.description('The fields that the branch has changed: they do not follow the master.'),
      ),
    }),
  ),
  v.description('How it follows a record of the chain’s master; null for a record of its own.'),
);
