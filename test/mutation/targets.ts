/** A room of product code, and the tests that are most likely to notice a change in it. */
export interface Target {
  code: RegExp;
  tests: RegExp;
}

/** The hot read, limits, writes, tokens, and what keeps one restaurant from another. */
export const targets: Target[] = [
  {
    code: /^gateway\/(pipeline\/(pipeline|route|router|targets|traffic)\.|snapshots\/)/,
    tests: /\/(router|served|snapshot-\w+|fronts|freshness|http-semantics|public-\w+)\.test/,
  },
  {
    code: /^gateway\/http\/(answer|negotiation|host|representations|path)\./,
    tests: /\/(representations|http-semantics|public-\w+|full-menu|menu-page)\.test/,
  },
  {
    code: /^(gateway\/limits|db\/sql\/limits)\//,
    tests: /\/(limit[\w-]*|event-budgets|rate-limit-headers|client-address)\.test/,
  },
  {
    code: /^(gateway\/writes|workers\/writes|db\/sql\/writes|db\/queue)\//,
    tests: /\/(write[\w-]*|prompt-turns|admin-\w+|submitted-writes|idempotency-keys)\.test/,
  },
  {
    code: /^(gateway\/pipeline\/(authenticate|guard|token-uses)|db\/sql\/access\/)/,
    tests: /\/(authenticate|admin-access|access-housekeeping|panel\/\w|cli)/,
  },
  {
    code: /^db\/sql\/(menu|snapshots|tenants)\//,
    tests: /\/(admin-\w+|snapshot-\w+|public-\w+|tenant-\w+|many-deleted|foreign-menus)\.test/,
  },
];
