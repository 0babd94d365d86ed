import type { ReadTexts } from '../../db/actions/hosts.ts';
import type { Mail } from '../../db/actions/mail.ts';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { parseRecordId } from '../../db/schema/values/record-id.ts';
import type { Session } from '../../db/sql/sessions.ts';
import type { Bundles } from '../bundle/bundles.ts';
import type { MinuteBound } from '../limits/minute-bound.ts';
import type { MediaOrigin } from '../snapshots/addressed.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { Writes } from '../writes/writes.ts';
import type { ChosenRelease } from './chosen-release.ts';
import type { PanelRequest } from './panel-request.ts';
import type { PasswordChecks } from './password-checks.ts';

export interface DeskOptions {
  db: Database;
  /** Connections for reports alone, which take long. */
  reportDb: Pick<Database, 'moment'>;
  store: Pick<SnapshotStore, 'find'>;
  readTexts: ReadTexts;
  /** DOMAIN. */
  domain: string;
  writes: Pick<Writes, 'settle' | 'settleUpload' | 'keep'>;
  mediaOrigin: MediaOrigin;
  /** Room for a restaurant's photos, in MiB. */
  photosMb: number;
  /** Of the writes that pages of a tenant may send. */
  bound: MinuteBound<number>;
  checks: PasswordChecks;
  /** Makes menus for screens without network. */
  bundles: Bundles;
  originOf: OriginOf;
  /** Null where no mail server is set up. */
  mail: Mail | null;
  constants: Constants;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A request by somebody who has signed in, and what its page works with. */
export interface Desk extends DeskOptions, Pick<PanelRequest, 'say' | 'tenantId'> {
  request: PanelRequest;
  session: Session;
  /** The release into which forms of this page save; null for at once. */
  chosen: ChosenRelease | null;
}

export function makeDesk(
  options: DeskOptions,
  request: PanelRequest,
  session: Session,
  chosen: ChosenRelease | null,
): Desk {
  const { say, tenantId } = request;
  return { ...options, request, say, tenantId, session, chosen };
}

/** Finds the record that the page's path names; null when it is not there. */
export function byPath<T>(find: (db: Database, tenantId: number, id: number) => Promise<T | null>) {
  return async ({ db, request, tenantId }: Desk): Promise<T | null> => {
    const id = parseRecordId(request.context.param);
    return id === null ? null : find(db, tenantId, id);
  };
}

/** The origin of the restaurant's pages, for links, codes and mails. */
export function homeOrigin({ originOf, request }: Pick<Desk, 'originOf' | 'request'>): string {
  const { context, secure } = request;
  return originOf(context.restaurant.tenant, { host: context.host, secure });
}
