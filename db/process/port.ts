import { once } from 'node:events';
import { createServer } from 'node:net';

/** Why a port cannot be listened on, to follow its name in a sentence; undefined when it can. */
export async function portTrouble(port: number): Promise<string | undefined> {
  const probe = createServer();
  try {
    probe.listen({ port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') return 'is reserved for root';
    if (code === 'EADDRINUSE') return 'is taken by another program';
    throw error;
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}
