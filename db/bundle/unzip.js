import { unzipSync } from 'fflate';

const isFile = ({ name }) => !name.endsWith('/');

/** Reads ZIP files. A file never gets more room than the archive says that it has. */
export const zipMeans = {
  list: (bytes) => {
    const entries = [];
    const note = (one) => {
      if (isFile(one)) entries.push({ name: one.name, size: one.originalSize, packed: one.size });
      return false;
    };
    unzipSync(bytes, { filter: note });
    return entries;
  },
  unpack: (bytes) => unzipSync(bytes, { filter: isFile }),
};
