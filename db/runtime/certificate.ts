import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { asError, OperatorError } from './operator-error.ts';

export interface CertificateFiles {
  cert: string;
  key: string;
}

function readPem(path: string, variable: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = asError(cause);
    throw new OperatorError(`${path} (${variable}) cannot be read: ${code}.`, { cause });
  }
}

/**
 * Makes sure that the files hold a certificate and its key, both in PEM; returns the certificate.
 * The HTTP library would not say what is wrong with them.
 *
 * @throws OperatorError naming the file and the variable it comes from
 */
export function assertCertificate(files: CertificateFiles): X509Certificate {
  const cert = readPem(files.cert, 'TLS_CERT');
  const key = readPem(files.key, 'TLS_KEY');
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch (cause) {
    throw new OperatorError(`${files.cert} (TLS_CERT) holds no certificate in PEM.`, { cause });
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const { code } = asError(cause);
    const reason =
      code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
        ? 'belongs to another certificate'
        : 'holds no usable key in PEM without a passphrase';
    throw new OperatorError(`${files.key} (TLS_KEY) ${reason}.`, { cause });
  }
  return certificate;
}
