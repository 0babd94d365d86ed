import sharp from 'sharp';
import { constants } from '../../db/runtime/constants.ts';
import { asError } from '../../db/runtime/operator-error.ts';
import { createPhotoMaker } from './photo-maker.ts';

// Makes one photo as workers do, and tells the program that asks for it what came of it: `doctor`.
const maker = createPhotoMaker(constants);
try {
  const create = { width: 1_600, height: 1_200, channels: 3 as const, background: '#8c2f1b' };
  const made = await maker.make(await sharp({ create }).jpeg().toBuffer());
  process.send?.('photo' in made ? 'made' : made.problem);
} catch (error) {
  process.send?.(asError(error).message);
} finally {
  await maker.stop();
  process.disconnect?.();
}
