import { column, type Db, sql } from '../../postgres/sql.ts';
import { type AcceptedEvent, eventTypes } from './event-columns.ts';

const types = Object.entries(eventTypes) as [keyof AcceptedEvent, string][];
const names = sql.identifiers(types.map(([name]) => name));
/** The moment comes in ms since 1970. */
const values = sql.join(
  types.map(([name]) =>
    name === 'occurred_at'
      ? sql.fragment`to_timestamp(occurred_at / 1000)`
      : sql.identifier([name]),
  ),
  ', ',
);

/** Inserts raw events. Their days' partitions must be there (`createPartitions`). */
export async function storeEvents(db: Db, events: readonly AcceptedEvent[]): Promise<void> {
  const arrays = types.map(([name, type]) => column(events, (event) => event[name], type));
  await db.run(sql.nothing`
    insert into analytics_events (${names})
    select ${values} from unnest(${sql.join(arrays, ', ')}) as event (${names})
  `);
}
