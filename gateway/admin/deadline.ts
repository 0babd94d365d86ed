/** A moment until which one request's steps wait, all of them together. */
export interface Deadline {
  /** What `promise` resolves with, or null when the moment comes first. */
  within<T>(promise: Promise<T>): Promise<T | null>;
  /** Forgets the moment; nothing may wait for it any more. */
  clear(): void;
}

/** @param milliseconds from now */
export function createDeadline(milliseconds: number): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  return {
    within: (promise) => Promise.race([promise, passed]),
    clear: () => clearTimeout(timer),
  };
}
