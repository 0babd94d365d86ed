import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { ignoreMissing } from './ignore-missing.ts';

/**
 * A program that uses the embedded server. `service` is a running Lavagna; a data directory has at
 * most one. `call` is a command that ends soon. `startedAt` tells it from a later process that got
 * the same pid.
 */
const userSchema = v.object({
  id: v.string(),
  pid: v.number(),
  startedAt: v.string(),
  role: v.picklist(['service', 'call']),
  /** Where it reaches the server; a restarted server listens there again. */
  port: v.optional(v.number()),
});
export type ServerUser = v.InferOutput<typeof userSchema>;

/** This process as one more user. */
export async function newUser(role: ServerUser['role']): Promise<ServerUser> {
  return {
    id: randomUUID(),
    pid: process.pid,
    startedAt: (await startOf(process.pid)) ?? '',
    role,
  };
}

/** The users that still live; what killed programs left behind is passed over. */
export async function readUsers(path: string): Promise<ServerUser[]> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  const users = v.parse(v.array(userSchema), parseList(text ?? ''));
  const starts = await Promise.all(users.map((user) => startOf(user.pid)));
  return users.filter((user, index) => starts[index] === user.startedAt);
}

/** A crash of the machine may leave the file empty or in pieces; no program outlived it. */
function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

/** Replaces the list. The caller holds the lock. */
export async function writeUsers(path: string, users: ServerUser[]): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(users));
  await rename(`${path}.new`, path);
}

/** When a process started, in clock ticks since boot, with the boot's id; undefined if gone. */
async function startOf(pid: number): Promise<string | undefined> {
  const [status, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(ignoreMissing),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(ignoreMissing),
  ]);
  if (status === undefined || boot === undefined) return undefined;
  // The command name may hold anything but ends at the last parenthesis; the state is the
  // third field after it starts counting, the start time the twenty-second.
  const [state, ...rest] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? undefined : `${boot.trim()}/${rest[18]}`;
}
