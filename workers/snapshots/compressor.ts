import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { findUncompressedTenants } from '../../db/sql/snapshots/find-uncompressed-tenants.ts';
import { compressSnapshots } from './compress-snapshots.ts';

/** Compresses the answers of tenants while this worker has no writes to do, one after the other. */
export interface Compressor {
  /** A tenant has a new version. */
  onWrite(tenantId: number): void;
  /** Resolves when nothing runs any more; harmless when repeated. */
  stop(): Promise<void>;
}

type CompressorConstants = Pick<
  Constants,
  'compressAfter' | 'compressWithin' | 'compressSweepSeconds' | 'compressBatch'
>;

export function createCompressor(
  db: Database,
  log: Logger,
  constants: CompressorConstants,
): Compressor {
  /** When the first write came that is not compressed yet, in ms; the oldest stands first. */
  const waiting = new Map<number, number>();
  let lastWrite = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const compress = async (tenantId: number) => {
    waiting.delete(tenantId);
    try {
      await compressSnapshots(db, tenantId);
    } catch (error) {
      log.warn({ err: error, tenantId }, 'could not compress a menu; will retry');
    }
  };

  const arm = () => {
    clearTimeout(timer);
    const [first] = waiting;
    if (stopped || running || !first) return;
    const [tenantId, since] = first;
    // Writes come first, those of all tenants, but not for ever.
    const at = Math.min(lastWrite + constants.compressAfter, since + constants.compressWithin);
    timer = setTimeout(
      () => {
        running = compress(tenantId).finally(() => {
          running = undefined;
          arm();
        });
      },
      Math.max(0, at - performance.now()),
    );
  };

  const add = (tenantId: number) => {
    if (!waiting.has(tenantId)) waiting.set(tenantId, performance.now());
    arm();
  };

  // What a worker left behind that was killed, or could not do.
  const sweep = setInterval(() => {
    findUncompressedTenants(db, constants.compressSweepSeconds, constants.compressBatch).then(
      (tenantIds) => tenantIds.forEach(add),
      (error) => log.warn({ err: error }, 'could not look for menus to compress; will retry'),
    );
  }, constants.compressSweepSeconds * 1_000);

  return {
    onWrite: (tenantId) => {
      lastWrite = performance.now();
      add(tenantId);
    },
    stop: async () => {
      stopped = true;
      clearInterval(sweep);
      clearTimeout(timer);
      await running;
    },
  };
}
