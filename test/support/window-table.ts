import type { WindowAsk, WindowCount } from '../../db/sql/limit-windows.ts';

/** The table of limit windows in memory: the model that Postgres is checked against. */
interface WindowTable {
  /** Counts a batch at a moment of the table's own clock. */
  count(asks: readonly WindowAsk[], at: number): WindowCount[];
  /** Admitted requests of a client's present window; 0 when it has none. */
  admitted(client: string, at: number): number;
  put(ask: WindowAsk, row: Row): void;
}

interface Row {
  endsAt: number;
  count: number;
}

/** By how much a clock may be slewed within a window, in ms. */
const SLEW = 1_000;

const keyOf = (ask: Pick<WindowAsk, 'tenantId' | 'limiter' | 'client'>) =>
  `${ask.tenantId}/${ask.limiter}/${ask.client}`;

/** @param window length of a window, in ms */
export function createWindowTable(window: number): WindowTable {
  const rows = new Map<string, Row>();

  /** The window that the ask belongs to, before claims, and where the ask would have it end. */
  const join = (ask: WindowAsk, stored: Row | undefined, at: number): Row => {
    const own: Row = { endsAt: at + ask.endsIn, count: Math.max(0, ask.floor + ask.debt) };
    // A clock that was set back leaves ends that no window can have.
    if (!stored || stored.endsAt > at + window + SLEW) return own;
    const row = { ...stored, endsAt: Math.min(stored.endsAt, at + window) };
    if (row.endsAt > at) {
      const isSame = !ask.shared || row.endsAt - at < ask.endsIn + window / 2;
      const known = isSame ? Math.max(row.count, ask.floor) : row.count;
      return {
        endsAt: isSame ? Math.min(row.endsAt, own.endsAt) : row.endsAt,
        count: Math.max(0, known + ask.debt),
      };
    }
    if (!ask.shared) return own;
    return { endsAt: ask.claims > 0 ? at + window : row.endsAt, count: 0 };
  };

  return {
    count: (asks, at) =>
      asks.map((ask) => {
        const row = join(ask, rows.get(keyOf(ask)), at);
        const granted = Math.max(0, Math.min(ask.claims, ask.limit - row.count));
        row.count += granted;
        rows.set(keyOf(ask), row);
        return { count: row.count, granted, endsIn: row.endsAt - at };
      }),
    admitted: (client, at) => {
      const row = rows.get(client);
      return row && row.endsAt > at ? row.count : 0;
    },
    put: (ask, row) => rows.set(keyOf(ask), { ...row }),
  };
}
