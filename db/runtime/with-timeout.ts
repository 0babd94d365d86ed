/** Resolves with `promise`, or after `timeout` ms with what `onTimeout` returns or throws. */
export async function withTimeout<T, L>(
  timeout: number,
  promise: Promise<T>,
  onTimeout: () => L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeout);
  });
  return Promise.race([promise, passed.then(onTimeout)]).finally(() => clearTimeout(timer));
}
