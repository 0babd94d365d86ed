import { setPriority } from 'node:os';
import { makePhoto } from './make-photo.ts';
import type { PhotoTask } from './photo-maker.ts';

// The process in which photos are decoded: it gives its memory back when it ends, and a file that makes
// the decoder fail ends nothing else. Its priority is low: menus and writes come first.
setPriority(10);
process.on('message', async (task: PhotoTask) => {
  if ('preview' in task) {
    // The fonts are read for this alone.
    const { drawPreview } = await import('./draw-preview.ts');
    process.send?.(await drawPreview(task.preview));
    return;
  }
  const { buffer, byteOffset, length } = task.content;
  process.send?.(await makePhoto(Buffer.from(buffer, byteOffset, length)));
  // The pixels are outside of the heap, so that nothing else would collect them in time.
  setImmediate(() => globalThis.gc?.());
});
process.send?.('ready');
// Its worker has ended.
process.on('disconnect', () => process.exit());
