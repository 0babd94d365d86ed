import { TooLargeError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
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

/** The page for everything else: Postgres is away, or we have made a mistake. */
export function unavailablePage(visit: Visit): Answer {
  const { unavailableTitle, unavailable } = visit.texts.failures;
  return messagePage(visit, '503 Service Unavailable', unavailableTitle, unavailable, null);
}
