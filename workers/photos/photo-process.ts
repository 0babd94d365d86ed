import { setPriority } from 'node:os';
import { makePhoto } from './make-photo.ts';

// The process in which photos are decoded: it gives its memory back when it ends, and a file that makes
// the decoder fail ends nothing else. Its priority is low: menus and writes come first.
setPriority(10);
process.on('message', async (content: Uint8Array) => {
  const made = await makePhoto(Buffer.from(content.buffer, content.byteOffset, content.length));
  process.send?.(made);
});
// Its worker has ended.
process.on('disconnect', () => process.exit());
