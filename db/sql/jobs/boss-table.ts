import { sql } from '../../postgres/connection.ts';
import { bossSchema } from '../../queue/boss.ts';

/** A table of pg-boss's own. */
export const bossTable = (name: string) => sql.identifier([bossSchema, name]);
