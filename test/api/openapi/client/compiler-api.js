// The generator of types is written for TypeScript's compiler API. TypeScript 7 has none: the
// generator gets the one that ts-morph carries.
import { register } from 'node:module';

const hook = `
  export const resolve = (specifier, context, next) =>
    next(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context);
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
