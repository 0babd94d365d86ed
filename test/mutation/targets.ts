/** A room of product code, and the tests that are most likely to notice a change in it. */
interface Target {
  code: RegExp;
  tests: RegExp;
}

/** The hot read, limits, writes, tokens, and what keeps one restaurant from another. */
export const targets: Target[] = [
  {
    code: /^gateway\/(pipeline\/(pipeline|route|router|targets|traffic)\.|snapshots\/)/,
    tests: /\/(api\/(http|public|snapshots)|unit\/(http|snapshots))\/|\/restaurants\.test/,
  },
  {
    code: /^gateway\/http\/(answer|negotiation|host|representations|path)\./,
    tests: /\/(api\/(http|public)|unit\/http)\/|\/menu-page\.test/,
  },
  {
    code: /^(gateway\/limits\/|db\/sql\/limit-windows\.)/,
    tests: /\/(api\/limits\/|event-budgets\.|rate-limit-headers\.|client-address\.)/,
  },
  {
    code: /^((gateway\/writes|workers\/writes|workers\/menu|db\/queue)\/|db\/sql\/writes\.)/,
    tests: /\/(api\/(records|whole-menu)|(api|unit)\/writes)\//,
  },
  {
    code: /^(gateway\/pipeline\/authenticate|db\/sql\/(sessions|tokens|users))\./,
    tests: /\/(authenticate|admin-access|housekeeping\/access|panel\/\w|cli)/,
  },
  {
    code: /^db\/sql\/(menus|snapshots|tenants)\./,
    tests: /\/api\/(hosts|public|records|snapshots|whole-menu)\//,
  },
];
