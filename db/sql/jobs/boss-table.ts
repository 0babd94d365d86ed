import { sql } from '../../postgres/sql.ts';

/** The schema that belongs to pg-boss alone. */
export const bossSchema = 'pgboss';

/** A table of pg-boss's own. */
export const bossTable = (name: string) => sql.identifier([bossSchema, name]);
