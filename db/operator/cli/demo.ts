import * as v from 'valibot';
import { houses } from '../demo/menus.ts';
import { plantDemo } from '../demo/plant-demo.ts';
import { plantGenerated } from '../demo/plant-generated.ts';
import { count, flag } from './arguments.ts';
import { defineCommand } from './command.ts';

export const demo = defineCommand({
  name: 'demo',
  usage: '[--houses] [--tenants N]',
  summary: 'plant the demo restaurants, and N generated ones',
  mayBegin: true,
  entries: {
    houses: flag('plant five more kinds of house, each with the fields that its menu needs'),
    tenants: v.optional(count, '0'),
  },
  run: async ({ houses: all, tenants }, { database, progress, progressOf }) => {
    const logins = await plantDemo(database, all ? houses : []);
    for (const { slug } of logins) progress(`planted ${slug}`);
    const generated = await plantGenerated(database, tenants, progressOf);
    return { planted: logins.length + generated, logins };
  },
});
