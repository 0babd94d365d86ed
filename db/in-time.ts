/** Something took longer than it may. */
export class LateError extends Error {
  override name = 'LateError';
}

/**
 * What `promise` resolves with; when that takes longer, nobody waits for it any more.
 *
 * @param milliseconds from now
 * @param what is waited for, as the error names it
 * @throws LateError
 */
export async function inTime<T>(
  promise: Promise<T>,
  milliseconds: number,
  what: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `${what} did not come within ${milliseconds} ms`;
    timer = setTimeout(() => reject(new LateError(text)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
