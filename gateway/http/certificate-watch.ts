import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { assertCertificate, type CertificateFiles } from '../../db/runtime/certificate.ts';
import { constants } from '../../db/runtime/constants.ts';
import { OperatorError } from '../../db/runtime/operator-error.ts';
import { createRepeated } from '../../db/runtime/repeated.ts';
import { stopOnce } from '../../db/runtime/running.ts';

interface WatchOptions {
  files: CertificateFiles;
  /** Serves with what the files hold now. */
  renew: () => Promise<void>;
  log: Logger;
}

export type CertificateWatch = Awaited<ReturnType<typeof watchCertificate>>;

/** Without a file it is empty: the check of the certificate says which one cannot be read. */
async function contentOf({ cert, key }: CertificateFiles): Promise<string> {
  try {
    return (await Promise.all([readFile(cert, 'utf8'), readFile(key, 'utf8')])).join();
  } catch {
    return '';
  }
}

/**
 * Follows the files of a certificate, by their content: programs that renew it often change a link.
 * Files that do not fit together, as between the writing of one and the other, are looked at again;
 * the log says once what is wrong with them.
 */
export async function watchCertificate(options: WatchOptions) {
  const { files, log } = options;
  const { certificateInterval: pause } = constants;
  const endOf = () => Date.parse(assertCertificate(files).validTo) / 1_000;
  let served = await contentOf(files);
  let end = endOf();
  let refused: string | null = null;

  const renewIfChanged = async () => {
    const content = await contentOf(files);
    if (content === served || content === refused) return;
    try {
      const renewed = endOf();
      await options.renew();
      [served, end, refused] = [content, renewed, null];
      log.info(`serves the new certificate, which ends on ${new Date(end * 1_000).toISOString()}`);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      refused = content;
      log.error(`goes on with the old certificate: ${error.message}`);
    }
  };
  const onFailure = (error: unknown) => log.error(error, 'the certificate was not renewed');
  const looks = createRepeated({ work: renewIfChanged, onFailure, pause });
  const timer = setInterval(looks.ask, pause);
  const running = stopOnce(async () => {
    clearInterval(timer);
    await looks.stop();
  });
  return {
    ...running,
    /** Looks at the files soon. */
    look: looks.ask,
    /** When the certificate that is served ends, in seconds since 1970. */
    end: () => end,
  };
}
