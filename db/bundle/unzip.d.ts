// See `unzip.js`.
import type { Means } from './verify.js';

export const zipMeans: Pick<Means, 'list' | 'unpack'>;
