import { randomBytes } from 'node:crypto';

/** Ids that clients may choose: they stand in logs and headers. */
const SANE = /^[\w.:/+=@-]{1,128}$/;
/** The beginning of ids that this process gives, different each time. */
export const newIdPart = (): string => randomBytes(6).toString('base64url');
const ownPart = newIdPart();
let count = 0;

/** The id of a request: the one that its client has sent when it is sane, else a new one. */
export function requestId(sent: string): string {
  if (sent !== '' && SANE.test(sent)) return sent;
  count += 1;
  return `${ownPart}-${count.toString(36)}`;
}
