/** Resolves with `promise`, or with undefined when that takes longer than `bound` ms. */
export async function within<T>(bound: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), bound);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
