import * as v from 'valibot';

/** The message about a change, and the write that can be taken back. */
export const panelChangeSchema = v.object({
  said: v.object({
    /** Names the text. */
    text: v.string(),
    values: v.record(v.string(), v.union([v.string(), v.number()])),
    /** Whether the text is about something that went wrong. */
    is_bad: v.boolean(),
    /** Path of the page on which it is said. */
    path: v.string(),
  }),
  /** Null when it cannot be taken back, or was made before an upgrade. */
  undo: v.fallback(v.nullable(v.object({ write: v.string() })), null),
});
export type PanelChange = v.InferOutput<typeof panelChangeSchema>;
