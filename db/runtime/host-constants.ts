/** The constants of restaurants' host names, as part of those of `constants.ts`. */
export const hostConstants = {
  /** Host names of a restaurant, those that wait to be proved among them. */
  maxHosts: 10,
  /** For how many days a restaurant's former slug leads to it. */
  formerSlugDays: 365,
  /** How long clients may keep a redirect from a former slug, in s. */
  formerSlugAge: 3_600,
  /** Random bytes in the TXT record that proves a name. */
  hostProofBytes: 18,
  /** How long a name server has to answer, in ms, and how often it is asked. */
  dnsTimeout: 2_000,
  dnsTries: 2,
  /** Hosts that a gateway has in memory. */
  maxKnownHosts: 20_000,
};
