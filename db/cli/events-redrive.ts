import { pino } from 'pino';
import { createBoss } from '../queue/boss.ts';
import { queues } from '../queue/queues.ts';
import { defineCommand } from './command.ts';

/** Jobs that are moved by one statement. */
const BATCH = 1_000;

export const eventsRedrive = defineCommand({
  name: 'events redrive',
  usage: '',
  summary: 'put jobs of events that failed for good back into their queue',
  entries: {},
  run: async (_input, { databaseUrl }) => {
    const log = pino({ level: 'silent' });
    const boss = createBoss(databaseUrl, { log, max: 1 });
    await boss.start();
    try {
      let redriven = 0;
      for (let moved = BATCH; moved === BATCH; redriven += moved) {
        moved = await boss.redrive(queues.analyticsEventsFailed, { limit: BATCH });
      }
      return { redriven };
    } finally {
      await boss.stop({ graceful: false });
    }
  },
});
