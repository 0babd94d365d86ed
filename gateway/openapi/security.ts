import { grants, type Scope, scopes } from '../../db/schema/scope.ts';

/** How requests below `/admin` say who sends them (SPEC, "Authentication"). */
export const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '<id>|<plain>',
    description:
      'A personal access token of the restaurant, made at `/admin/api-tokens` of its host. The ' +
      'whole value is sent, with the id and the `|`.',
  },
};

/** A token with this scope is needed, or with one that includes it. */
export function requireScope(scope: Scope): Record<string, string[]>[] {
  return scopes.filter((one) => grants([one], scope)).map((one) => ({ token: [one] }));
}
