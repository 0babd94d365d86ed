import { once } from 'node:events';
import { createServer } from 'node:net';
import { asError } from './operator-error.ts';

/** Reasons why a port cannot be used; each follows the port's name in a sentence. */
export const portTroubles = {
  reserved: 'is reserved for root',
  taken: 'is taken by another program',
} as const;
type PortTrouble = (typeof portTroubles)[keyof typeof portTroubles];

/** Why a port cannot be listened on; undefined when it can. */
export async function portTrouble(port: number): Promise<PortTrouble | undefined> {
  const probe = createServer();
  try {
    probe.listen({ port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    const { code } = asError(error);
    if (code === 'EACCES') return portTroubles.reserved;
    if (code === 'EADDRINUSE') return portTroubles.taken;
    throw error;
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}
