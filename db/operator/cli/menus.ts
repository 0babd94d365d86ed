import { loadMenu } from '../../sql/menu/load-menu.ts';
import { menuDocument } from '../../sql/menu/menu-document.ts';
import { describeImport } from '../menu/describe-import.ts';
import { importMenu } from '../menu/import-menu.ts';
import { readMenuFile } from '../menu/read-menu-file.ts';
import { file, flag, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './tenants.ts';

const menuExport = defineCommand({
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

const menuImport = defineCommand({
  name: 'menu import',
  usage: '<slug> <file> [--dry-run] [--delete-missing]',
  summary: 'write a whole menu, or a table of its dishes; print what changes, a record a line',
  help: 'Records are found by external_id, then by id. When anything is wrong, nothing is changed.',
  positionals: ['slug', 'file'],
  entries: {
    slug,
    file,
    'dry-run': flag('show what would change, and change nothing'),
    'delete-missing': flag('delete the records of each list of the file that it does not have'),
  },
  reports: true,
  run: async (input, { database, databaseUrl, progress }) => {
    const given = await readMenuFile(input.file);
    const tenantId = await requireTenant(database, input.slug);
    const how = {
      format: given.format,
      dry_run: input['dry-run'],
      delete_missing: input['delete-missing'],
    };
    const place = { database, databaseUrl, progress };
    return describeImport(await importMenu(place, tenantId, given.document, how));
  },
});

export const menuCommands = [menuExport, menuImport];
