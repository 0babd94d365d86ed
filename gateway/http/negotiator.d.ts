/** The published types are of an older version, without `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string> });
    encoding(
      available: readonly string[],
      options: { preferred: readonly string[] },
    ): string | undefined;
    language<L extends string>(available: readonly L[]): L | undefined;
  }
}
