import * as v from 'valibot';
import { actionSchema, resourceSchema } from './registry.ts';

/** A write that takes a change of one record back. */
const undoStepSchema = v.object({
  resource: resourceSchema,
  action: actionSchema,
  record_id: v.nullable(v.number()),
  /** A body as the API takes it. */
  input: v.record(v.string(), v.unknown()),
  /** Of the record as the change left it; null for one that was deleted. */
  if_match: v.nullable(v.string()),
});
export type UndoStep = v.InferOutput<typeof undoStepSchema>;

/** A write of many records: its result says what takes it back. */
const undoManySchema = v.object({ write: v.string() });

/** The message about a change, and how the change is taken back. */
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
  /** Empty when it cannot be taken back. */
  undo: v.array(v.union([undoStepSchema, undoManySchema])),
});
export type PanelChange = v.InferOutput<typeof panelChangeSchema>;
