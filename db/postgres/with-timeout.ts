import { OverdueError } from './outage.ts';

/** Resolves with `promise`; rejects when that takes longer than `bound` ms. @throws OverdueError */
export function withTimeout<T>(bound: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new OverdueError(`no answer from Postgres within ${bound} ms`)),
      bound,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
