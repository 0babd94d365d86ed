import { pino } from 'pino';
import { createBoss } from '../../queue/boss.ts';
import { constants } from '../../runtime/constants.ts';
import { queues } from '../../schema/queues.ts';
import { defineCommand } from './command.ts';

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
      const limit: number = constants.eventJobsPerRedrive;
      let redriven = 0;
      for (let moved = limit; moved === limit; redriven += moved) {
        moved = await boss.redrive(queues.analyticsEventsFailed, { limit });
      }
      return { redriven };
    } finally {
      await boss.stop({ graceful: false });
    }
  },
});
