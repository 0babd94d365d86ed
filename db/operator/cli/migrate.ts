import { migrate } from '../database/migrate.ts';
import { defineCommand } from './command.ts';

export const migrateDatabase = defineCommand({
  name: 'migrate',
  usage: '',
  summary: 'bring the database to the schema of this version',
  mayBegin: true,
  entries: {},
  run: async (_input, { databaseUrl, migrated }) => ({
    applied: [...migrated, ...(await migrate(databaseUrl))],
  }),
});
