import { isOutage } from '../../db/postgres/outage.ts';
import type { Answer } from '../http/answer.ts';
import { TooLargeError, UnavailableError } from '../http/errors.ts';
import { NoFormError } from './form.ts';
import { messagePage } from './pages/message-page.ts';
import type { Visit } from './visit.ts';

/** The page for an error that a client's mistake explains, or null when the fault is ours. */
export function mistakePage(visit: Visit, error: unknown): Answer | null {
  const texts = visit.texts.failures;
  if (error instanceof TooLargeError) {
    const status = '413 Content Too Large';
    return messagePage(visit, status, texts.tooLargeTitle, texts.tooLarge, null);
  }
  if (error instanceof NoFormError) {
    const status = '415 Unsupported Media Type';
    return messagePage(visit, status, texts.wrongTypeTitle, texts.wrongType, null);
  }
  return null;
}

/** The page for everything else: 503 while Postgres is away, 500 when we have made a mistake. */
export function failurePage(visit: Visit, error: unknown): Answer {
  const { unavailableTitle, unavailable } = visit.texts.failures;
  const isAway = error instanceof UnavailableError || isOutage(error);
  const status = isAway ? '503 Service Unavailable' : '500 Internal Server Error';
  return messagePage(visit, status, unavailableTitle, unavailable, null);
}
