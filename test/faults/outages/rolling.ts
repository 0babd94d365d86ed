import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangeReport, dishRequest, eventRequest, startChanges } from './changes.ts';
import { type FormationOptions, startFormation } from './formation.ts';
import { type ReadReport, startReads } from './reads.ts';
import { countEvents, countKept, type Kept, makeSection, type Tenant } from './restaurant.ts';

interface RollingOptions extends Omit<FormationOptions, 'databaseUrl'> {
  readers: number;
  /** Load before, between and after the restarts, in ms. */
  pause: number;
  /** Starts a proxy in front of the gateways' port, through which clients then speak. */
  through?(port: number): Promise<{ port: number; stop(): Promise<void> }>;
}

export interface RollingReport {
  reads: ReadReport;
  writes: ChangeReport;
  kept: Kept;
  events: ChangeReport;
  /** In the restaurant's report. */
  counted: number;
  /** How long each process took to end, in ms. */
  ends: number[];
}

/**
 * Replaces every gateway and every worker, one after the other, while clients read, write and send
 * events.
 */
export async function rollOver(
  databaseUrl: string,
  tenant: Tenant,
  { readers, pause, through, ...members }: RollingOptions,
): Promise<RollingReport> {
  const formation = await startFormation({ databaseUrl, ...members });
  const proxy = await through?.(formation.port);
  try {
    const { port } = proxy ?? formation;
    const restaurant = await makeSection(port, tenant);
    const { host, token, sectionId } = restaurant;
    const common = { port, host };
    const paths = ['/menu', '/menu/en', '/restaurant', '/categories', '/items?per_page=5'];
    const reads = startReads({ ...common, paths, readers, pause: 5 });
    const request = dishRequest(token, sectionId);
    const writes = startChanges({ ...common, writers: 2, pause: 50, request });
    const sent = eventRequest();
    const events = startChanges({ ...common, writers: 4, pause: 20, request: sent });
    const ends: number[] = [];
    await sleep(pause);
    for (const member of [...formation.members]) {
      ends.push(await formation.replace(member));
      await sleep(pause);
    }
    const [readReport, written, accepted] = [
      await reads.stop(),
      await writes.stop(),
      await events.stop(),
    ];
    return {
      reads: readReport,
      writes: written,
      kept: await countKept(port, host, written.promised),
      events: accepted,
      counted: await countEvents(port, restaurant, accepted.promised.length),
      ends,
    };
  } finally {
    await proxy?.stop();
    await formation.stop();
  }
}
