import * as v from 'valibot';

/** A publication of a master's menu to its branches that a release brings. */
export const scheduledSchema = v.object({
  /** Their slugs; null for all that the master has then. */
  branches: v.nullable(v.array(v.string())),
  /** The name of the person or token that has planned it. */
  by: v.nullable(v.string()),
});
export type ScheduledPublication = v.InferOutput<typeof scheduledSchema>;
