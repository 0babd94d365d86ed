import type { NewEntry, Origin } from '../../db/schema/version.ts';
import type { Write } from '../../db/schema/write.ts';

function originOf({ resource, action, token_id: sender }: Write): Origin {
  if (action === 'restore' && resource === 'menu') return 'restore';
  if (action === 'release') return 'release';
  if (action === 'undo' || action === 'import') return sender === 0 ? 'cli' : action;
  if (sender < 0) return 'panel';
  return action === 'bulk' ? 'bulk' : 'api';
}

/** Who sent a write and by which way, as the history names it. */
export function authorOf(write: Write): Omit<NewEntry, 'changes'> {
  const { token_id: sender, id: jobId } = write;
  const origin = originOf(write);
  if (sender === 0) return { actor: { kind: 'operator', id: null }, origin, jobId };
  const kind = sender > 0 ? 'token' : 'user';
  return { actor: { kind, id: Math.abs(sender) }, origin, jobId };
}
