import { followMaster, leaveMaster } from '../../actions/chains.ts';
import { MATCHES } from '../../schema/chain.ts';
import { flagArgument, oneOfArgument, slugArgument } from './arguments.ts';
import { defineCommand } from './command.ts';

const chainFollow = defineCommand({
  name: 'chain follow',
  usage: '<branch> --of <master> [--match external_id] [--dry-run]',
  summary: 'let a restaurant follow the menu of another one, as a branch of its chain',
  help:
    'Nothing of its menu changes: fields that differ stay its own, and the next publication of the ' +
    'master brings the rest.',
  entries: {
    branch: slugArgument,
    of: slugArgument,
    match: oneOfArgument(MATCHES, 'by what the records of the two find each other'),
    'dry-run': flagArgument('show which records would follow, and change nothing'),
  },
  run: ({ branch, of: master, match = 'external_id', 'dry-run': dry_run }, { database }) =>
    followMaster(database, branch, { master, match, dry_run }),
});

const chainLeave = defineCommand({
  name: 'chain leave',
  usage: '<branch>',
  summary: 'let a branch follow no more; it keeps its menu',
  entries: { branch: slugArgument },
  run: async ({ branch }, { database }) => {
    await leaveMaster(database, branch);
    return { slug: branch, master: null };
  },
});

export const chainCommands = [chainFollow, chainLeave];
