import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { sniffPhoto } from '../../db/schema/photo.ts';
import { noteLook, type PictureLook, takePictures } from '../../db/sql/foreign-pictures.ts';
import type { LookShares } from '../housekeeping/look-shares.ts';
import { type GoesOn, startRounds } from '../housekeeping/rounds.ts';
import { type OutgoingOptions, sendRequest } from '../outgoing/send-request.ts';

/** Pictures that a worker looks at at once. */
const PICTURES_AT_ONCE = 8;

interface LookOptions extends OutgoingOptions {
  constants: Pick<Constants, 'pictureLookInterval' | 'pictureLookAgain'>;
}

/** How an address is asked, for how long, in ms, and how much of the answer is read, in bytes. */
const REQUEST = {
  method: 'GET',
  headers: {
    Accept: 'image/avif,image/webp,image/*,*/*;q=0.8',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Lavagna-Pictures/1',
  },
  timeout: 10_000,
  maxBytes: 65_536,
} as const;
/** Redirects that are followed. */
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Whether browsers show such a content: moving pictures and drawings, too. */
function isPicture(body: Buffer, type: string | undefined): boolean {
  const sniffed = sniffPhoto(body);
  const isOther = 'problem' in sniffed && ['photoType', 'photoHeic'].includes(sniffed.problem);
  return !isOther || /^image\/svg\+xml\b/i.test(type ?? '');
}

/** Looks at an address as a browser does that shows a picture, and reads the beginning of it. */
export async function lookAtPicture(address: string, options: LookOptions): Promise<PictureLook> {
  const silent = { problem: 'silent', status: null } as const;
  try {
    let url = new URL(address);
    for (let left = MAX_REDIRECTS; left >= 0; left -= 1) {
      // Guests' pages load no picture by plain HTTP.
      if (url.protocol !== 'https:') return silent;
      const { status, headers, body } = await sendRequest(url, REQUEST, options);
      if (REDIRECTS.includes(status) && headers.location !== undefined) {
        url = new URL(headers.location, url);
        continue;
      }
      if (status !== 200) return { problem: 'status', status };
      return { problem: isPicture(body, headers['content-type']) ? null : 'page', status: null };
    }
    return silent;
  } catch {
    // The reason may name a private address, which owners must not learn.
    return silent;
  }
}

/** Looks at the pictures of other sites that restaurants have begun to show. */
export function startPictureLooks(db: Db, shares: LookShares, log: Logger, options: LookOptions) {
  const { constants } = options;
  const giveBackAfter = 2 * REQUEST.timeout * (MAX_REDIRECTS + 1);
  const round = async (goesOn: GoesOn) => {
    while (goesOn()) {
      const taken = await takePictures(db, PICTURES_AT_ONCE, giveBackAfter);
      await Promise.all(
        taken.map(async (one) => {
          const look = await lookAtPicture(one.url, options);
          await noteLook(db, one, look, constants.pictureLookAgain);
        }),
      );
      if (taken.length < PICTURES_AT_ONCE) return;
    }
  };
  const interval = constants.pictureLookInterval;
  const what = 'the look at pictures';
  return startRounds({ what, interval, firstAfter: 0, round, shares, log });
}
