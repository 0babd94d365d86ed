import type { Command, LoneCommand } from './command.ts';
import { hostCommands } from './hosts.ts';
import { menuCommands } from './menus.ts';
import { tenantCommands } from './tenants.ts';
import { tokenCommands } from './tokens.ts';
import { upkeepCommands } from './upkeep.ts';
import { userCommands } from './users.ts';

export type AnyCommand = Command | LoneCommand;

const commands: AnyCommand[] = [
  ...tenantCommands,
  ...menuCommands,
  ...hostCommands,
  ...userCommands,
  ...tokenCommands,
  ...upkeepCommands,
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
