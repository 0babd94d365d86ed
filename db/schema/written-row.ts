import { type RecordType, type Row, toStored } from './record.ts';
import { NEVER } from './validation/date-fields.ts';

/**
 * The columns that a body sets, as they would be stored: what the database computes is computed here.
 *
 * @param sent the checked body
 * @param input the same with what follows from it
 */
export function writtenRow(record: RecordType, sent: Row, input: Row): Row {
  const row = toStored(record, input);
  if (record.resource !== 'items') return row;
  return {
    ...row,
    ...('allergens' in sent && { allergens_declared: sent.allergens !== null }),
    ...('sold_out_until' in sent && {
      is_sold_out: sent.sold_out_until !== null,
      sold_out_until: sent.sold_out_until === NEVER ? null : sent.sold_out_until,
    }),
  };
}
