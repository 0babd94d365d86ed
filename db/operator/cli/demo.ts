import * as v from 'valibot';
import { plantDemo } from '../demo/plant-demo.ts';
import { plantGenerated } from '../demo/plant-generated.ts';
import { count } from './arguments.ts';
import { defineCommand } from './command.ts';

export const demo = defineCommand({
  name: 'demo',
  usage: '[--tenants N]',
  summary: 'plant the demo restaurants, and N generated ones',
  mayBegin: true,
  entries: { tenants: v.optional(count, '0') },
  run: async ({ tenants }, { database, progress, progressOf }) => {
    const logins = await plantDemo(database);
    for (const { slug } of logins) progress(`planted ${slug}`);
    const generated = await plantGenerated(database, tenants, progressOf);
    return { planted: logins.length + generated, logins };
  },
});
