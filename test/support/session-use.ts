import {
  type OnMessage,
  type PostgresTap,
  tapPostgres,
} from '../../bench/processes/postgres-tap.ts';

/** Statements that need a session, so that a pooler in transaction mode cannot serve them. */
export interface SessionUse extends PostgresTap {
  /** How many statements were sent. */
  statements(): number;
  /** Statements that were prepared under a name, and those that change the session. */
  found(): readonly string[];
}

/** A statement outside of this list may still be the first of a transaction. */
const OF_SESSIONS =
  /^\s*(listen|unlisten|set (?!transaction|local)|prepare|declare|discard)|pg_(try_)?advisory_lock/i;

/** Starts a proxy to the database of `url` that collects such statements. */
export async function watchSessionUse(url: string): Promise<SessionUse> {
  const found: string[] = [];
  let statements = 0;
  const note = (text: string, name: string) => {
    statements += 1;
    if (name !== '' || OF_SESSIONS.test(text)) found.push(text);
  };
  const onMessage: OnMessage = (type, [first, second]) => {
    if (type === 'P') note(second, first);
    if (type === 'Q') note(first, '');
  };
  const tap = await tapPostgres(url, onMessage);
  return { ...tap, statements: () => statements, found: () => found };
}
