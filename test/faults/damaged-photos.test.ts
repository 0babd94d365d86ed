// Files with random changes: each is a photo or is refused, and none ends the process that decodes.
// PHOTO_MUTATIONS says how many there are of each format, PHOTO_SEED which they are.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { createRandom, type Random } from '../../bench/load/random.ts';
import { constants } from '../../db/runtime/constants.ts';
import { createPhotoMaker } from '../../workers/photos/photo-maker.ts';
import { picture } from '../support/pictures.ts';

const MUTATIONS = Number(process.env.PHOTO_MUTATIONS ?? 25);
const SEED = Number(process.env.PHOTO_SEED ?? 1);
/** Bytes at the beginning, where sizes and types stand. */
const HEAD = 64;
/** Bytes that decoders read as lengths and marks. */
const ODD = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff];

const maker = createPhotoMaker(constants);
after(() => maker.stop());

/** The file with some bytes changed, cut off, or doubled. */
function mutate(file: Buffer, random: Random): Buffer {
  const left = Buffer.from(file);
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const at = random.below(random.below(2) === 0 ? HEAD : left.length);
    left[at] = random.below(2) === 0 ? random.pick(ODD) : random.below(256);
  }
  const [from, to] = [random.below(left.length), random.below(left.length)];
  const cut = random.below(8);
  if (cut === 0) return left.subarray(0, from);
  if (cut === 1) return Buffer.concat([left.subarray(0, from), left.subarray(to)]);
  return left;
}

for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
  test(`the process that makes photos survives damaged files: ${format}`, async (t) => {
    const file = await picture({ width: 48, height: 32, format });
    const random = createRandom(SEED);
    const counts: Record<string, number> = { photo: 0 };
    for (let count = 0; count < MUTATIONS; count += 1) {
      const damaged = mutate(file, random);
      const made = await maker.make(damaged).catch((error) => {
        const what = `seed ${SEED}, file ${count}: ${error.message}`;
        throw new Error(`${what}\n${damaged.toString('base64')}`);
      });
      const key = 'photo' in made ? 'photo' : made.problem;
      counts[key] = (counts[key] ?? 0) + 1;
      if ('photo' in made) assert.ok(Buffer.byteLength(made.photo.placeholder) <= 40);
    }
    t.diagnostic(JSON.stringify(counts));
    assert.ok(MUTATIONS - (counts.photo ?? 0) > 0, 'no file was damaged');
  });
}

test('the process that makes photos has memory for one after the other', async () => {
  const file = await picture({ width: 1_600, height: 1_200 });
  for (let count = 0; count < 7; count += 1) {
    const made = await maker.make(file);
    assert.ok('photo' in made, `photo ${count}`);
  }
});

test('a picture that needs more memory than the process may have fails, and the next one is made', async () => {
  const small = createPhotoMaker({ ...constants, photoMemoryMb: 96 });
  try {
    // An interlaced file is decoded as a whole.
    const create = { width: 7_000, height: 5_700, channels: 3 as const, background: '#8c2f1b' };
    const large = await sharp({ create }).png({ progressive: true }).toBuffer();
    const made = await small.make(large).catch((error: Error) => ({ problem: error.message }));
    assert.ok('problem' in made, 'the memory was not bounded');
    assert.ok('photo' in (await small.make(await picture({}))));
  } finally {
    await small.stop();
  }
});
