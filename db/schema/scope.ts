import * as v from 'valibot';

/** What a token may grant; fixed at its creation. */
export const scopes = ['menu:read', 'menu:write', 'analytics:read'] as const;
export const scopeSchema = v.picklist(scopes);
export type Scope = v.InferOutput<typeof scopeSchema>;
