import type { Desk } from './desk.ts';

/** The origin of the restaurant's pages, for links, codes and mails. */
export function homeOrigin({ originOf, request }: Pick<Desk, 'originOf' | 'request'>): string {
  const { context, secure } = request;
  return originOf(context.front.tenant, { host: context.host, secure });
}
