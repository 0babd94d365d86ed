import type { Logger } from 'pino';
import { bounds } from '../../db/bounds.ts';
import type { Db } from '../../db/connection.ts';
import { findUncompressedTenants } from '../../db/queries/find-uncompressed-tenants.ts';
import { compressSnapshots } from '../../db/snapshot/compress.ts';

/** Compresses the answers of tenants whose writes have paused, one tenant after the other. */
export interface Compressor {
  /** A tenant has a new version. */
  onWrite(tenantId: number): void;
  /** Resolves when nothing runs any more; harmless when repeated. */
  stop(): Promise<void>;
}

interface Due {
  /** When the first write came that is not compressed yet, in ms. */
  since: number;
  /** When the tenant's turn comes, in ms: each write puts it off, up to a bound. */
  at: number;
}

export function createCompressor(db: Db, log: Logger): Compressor {
  const due = new Map<number, Due>();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const next = () => [...due].sort(([, left], [, right]) => left.at - right.at)[0];

  const compress = async (tenantId: number) => {
    due.delete(tenantId);
    try {
      await compressSnapshots(db, tenantId);
    } catch (error) {
      log.warn({ err: error, tenantId }, 'could not compress a menu; will retry');
    }
  };

  const arm = () => {
    clearTimeout(timer);
    const first = next();
    if (stopped || running || !first) return;
    const [tenantId, { at }] = first;
    timer = setTimeout(
      () => {
        running = compress(tenantId).finally(() => {
          running = undefined;
          arm();
        });
      },
      Math.max(0, at - Date.now()),
    );
  };

  const onWrite = (tenantId: number) => {
    const now = Date.now();
    const { since } = due.get(tenantId) ?? { since: now };
    const at = Math.min(now + bounds.compressAfter, since + bounds.compressWithin);
    due.set(tenantId, { since, at });
    arm();
  };

  // What a worker left behind that was killed, or could not do.
  const sweep = setInterval(() => {
    findUncompressedTenants(db, bounds.compressSweep, bounds.compressBatch).then(
      (tenantIds) => tenantIds.forEach(onWrite),
      (error) => log.warn({ err: error }, 'could not look for menus to compress; will retry'),
    );
  }, bounds.compressSweep * 1_000);

  return {
    onWrite,
    stop: async () => {
      stopped = true;
      clearInterval(sweep);
      clearTimeout(timer);
      await running;
    },
  };
}
