import { loadMenu } from '../../sql/menu/load-menu.ts';
import { menuDocument } from '../../sql/menu/menu-document.ts';
import { slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const menuExport = defineCommand({
  name: 'menu export',
  usage: '<slug>',
  summary: "print a restaurant's menu as one document, which menu import takes",
  positionals: ['slug'],
  entries: { slug },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.slug);
    return menuDocument(await loadMenu(database, tenantId));
  },
});
