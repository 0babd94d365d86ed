// Node's test runner looks at each promise of a process, so that it can say which test an error belongs
// to. That is an eighth of a core, and only tests that are being defined need it. This module is loaded
// before the runner is.
import { type AsyncHook, createHook } from 'node:async_hooks';
import { createRequire } from 'node:module';

const hooks: AsyncHook[] = [];
const asyncHooks = createRequire(import.meta.url)('node:async_hooks');
asyncHooks.createHook = (callbacks: Parameters<typeof createHook>[0]) => {
  const hook = createHook(callbacks);
  hooks.push(hook);
  return hook;
};

/** Before tests are defined: each becomes a part of the test that defines it. */
export function startFollowing(): void {
  for (const hook of hooks) hook.enable();
}

/** From now on an error that no promise of a test tells of fails the process in place of that test. */
export function stopFollowing(): void {
  for (const hook of hooks) hook.disable();
}
