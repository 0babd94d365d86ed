import * as v from 'valibot';
import { withBoss } from '../../queue/boss.ts';
import { queues } from '../../schema/queues.ts';
import { migrate } from '../database/migrate.ts';
import { plantGenerated } from '../demo/generator.ts';
import { plantDemo } from '../demo/plant-demo.ts';
import { abroad, houses, samples, underLaws } from '../demo/restaurant.ts';
import { examine } from '../doctor/examine.ts';
import { count, flagArgument } from './arguments.ts';
import { defineCommand, defineLoneCommand, jsonReport } from './command.ts';

/** Failed jobs that one statement puts back into their queue. */
const EVENT_JOBS_PER_REDRIVE = 1_000;

const migrateDatabase = defineCommand({
  name: 'migrate',
  usage: '',
  summary: 'bring the database to the schema of this version',
  mayBegin: true,
  entries: {},
  run: async (_input, { databaseUrl, migrated }) => ({
    applied: [...migrated, ...(await migrate(databaseUrl))],
  }),
});

const demo = defineCommand({
  name: 'demo',
  usage: '[--houses] [--tenants N]',
  summary: 'plant the demo restaurants, and N generated ones',
  mayBegin: true,
  entries: {
    houses: flagArgument(
      'plant fourteen more restaurants of other kinds, languages and laws, which use other fields of a menu',
    ),
    tenants: v.optional(count, '0'),
  },
  run: async ({ houses: all, tenants }, { database, progress, progressOf }) => {
    const logins = await plantDemo(
      database,
      all ? [...houses, ...samples, ...abroad, ...underLaws] : [],
    );
    for (const { slug } of logins) progress(`planted ${slug}`);
    const generated = await plantGenerated(database, tenants, progressOf);
    return { planted: logins.length + generated, logins };
  },
});

const doctor = defineLoneCommand({
  name: 'doctor',
  usage: '',
  summary: 'look for what is wrong and say what to do; exit code 1 when something is',
  entries: {},
  run: async (_input, env) => {
    const checks = await examine(env);
    const failed = checks.some(({ state }) => state === 'bad');
    return { ...jsonReport({ healthy: !failed, checks }), failed };
  },
});

const eventsRedrive = defineCommand({
  name: 'events redrive',
  usage: '',
  summary: 'put jobs of events that failed for good back into their queue',
  entries: {},
  run: (_input, { databaseUrl }) =>
    withBoss(databaseUrl, async (boss) => {
      const limit: number = EVENT_JOBS_PER_REDRIVE;
      let redriven = 0;
      for (let moved = limit; moved === limit; redriven += moved) {
        moved = await boss.redrive(queues.analyticsEventsFailed, { limit });
      }
      return { redriven };
    }),
});

export const upkeepCommands = [migrateDatabase, demo, doctor, eventsRedrive];
