import type { Command, LoneCommand } from './command.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { eventsRedrive } from './events-redrive.ts';
import { menuExport } from './menu-export.ts';
import { menuImport } from './menu-import.ts';
import { migrateDatabase } from './migrate.ts';
import { tenantCreate } from './tenant-create.ts';
import { tenantDelete } from './tenant-delete.ts';
import { tenantList } from './tenant-list.ts';
import { tenantRename } from './tenant-rename.ts';
import { tokenCreate } from './token-create.ts';
import { tokenList } from './token-list.ts';
import { tokenRevoke } from './token-revoke.ts';
import { userCreate } from './user-create.ts';
import { userDelete } from './user-delete.ts';
import { userList } from './user-list.ts';
import { userPassword } from './user-password.ts';

export type AnyCommand = Command | LoneCommand;

const commands: AnyCommand[] = [
  ...[tenantCreate, tenantList, tenantRename, tenantDelete],
  ...[menuExport, menuImport],
  ...[userCreate, userList, userPassword, userDelete],
  ...[tokenCreate, tokenList, tokenRevoke],
  ...[migrateDatabase, demo, doctor, eventsRedrive],
];

/** The command that the first of `args` name, and the rest of them. */
export function findCommand(args: string[]): { command: AnyCommand; rest: string[] } | undefined {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word)) {
      return { command, rest: args.slice(words.length) };
    }
  }
  return undefined;
}

/** The commands whose name begins with a word; all of them when none does. */
export function commandsBeginningWith(word: string | undefined): AnyCommand[] {
  const found = commands.filter(({ name }) => name.split(' ')[0] === word);
  return found.length > 0 ? found : commands;
}
