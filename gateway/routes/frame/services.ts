import type { ReadTexts } from '../../../db/actions/hosts.ts';
import type { Mail } from '../../../db/actions/mail.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import type { OriginOf } from '../../../db/runtime/restaurant-origin.ts';
import type { Intake } from '../../analytics/intake.ts';
import type { Bundles } from '../../bundle/bundles.ts';
import type { DerivedAnswers } from '../../http/derived-answers.ts';
import type { Endpoint } from '../../pipeline/route.ts';
import type { MediaOrigin } from '../../snapshots/addressed.ts';
import type { LiveMenus } from '../../stream/live-menus.ts';
import type { Writes } from '../../writes/writes.ts';

/** Services that the handlers of the API's routes use besides the request. */
export interface Services {
  db: Database;
  /** Connections for reports alone, which take long. */
  reportDb: Pick<Database, 'moment'>;
  answers: DerivedAnswers;
  liveMenus: Pick<LiveMenus, 'begin'>;
  writes: Pick<Writes, 'perform' | 'settle' | 'keep' | 'readJob' | 'upload'>;
  events: Pick<Intake, 'take'>;
  mediaOrigin: MediaOrigin;
  /** The origin of restaurants' pages. */
  originOf: OriginOf;
  readTexts: ReadTexts;
  /** Makes menus for screens without network. */
  bundles: Bundles;
  /** DOMAIN. */
  domain: string;
  /** Null where no mail server is set up. */
  mail: Mail | null;
  /** Milliseconds since 1970. */
  now: () => number;
}

export type ApiRoute = Endpoint<Services>;
