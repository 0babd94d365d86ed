import { DAY } from './day.ts';

/** The constants of the panel, as part of those of `constants.ts`. */
export const panelConstants = {
  /** Longest form of the panel, in bytes, and longest name of a token, in characters. */
  maxFormBytes: 16_384,
  maxTokenNameLength: 100,
  /** Longest form that is read before its sender has signed in, in bytes. */
  maxStrangerFormBytes: 65_536,
  /** Longest form of a record, which holds its texts twice in five languages, in bytes. */
  maxRecordFormBytes: 524_288,
  /** Fields of a form; a list of dishes has three for each of `maxListedDishes`. */
  maxFormFields: 4_000,
  /** Longest form of an import: a document that nothing compresses, packed as text, in bytes. */
  maxImportFormBytes: 12 * 1_048_576,
  /** Writes that the panel of a restaurant sends in a minute, and restaurants that are counted. */
  maxPanelWrites: 600,
  maxPanelWindows: 10_000,
  /** Entries on a page of the history. */
  storyEntries: 50,
  /** Cost of the requests for pages that an IPv4 address or IPv6 /48 has in a minute and gateway. */
  maxPanelCost: 3_000,
  /**
   * Requests of an IPv4 address or IPv6 /48 in a window and gateway that no limit of the API counts and
   * for which no answer lies ready. The window in ms.
   */
  maxUncountedRequests: 600,
  uncountedRequestsWindow: 10_000,
  /** Characters of the sentence that says why a restaurant is suspended. */
  maxSuspensionReasonLength: 300,
  translationsPerPage: 50,
  maxListedDishes: 500,
  /** Tokens that a restaurant may have active, and those that the panel lists. */
  maxActiveTokens: 100,
  maxListedTokens: 200,
  /** A panel session ends this long after its last use, and at the latest after its begin, in ms. */
  sessionIdleTtl: 2 * 3_600_000,
  sessionTtl: 12 * 3_600_000,
  /** A session of somebody who serves: a tablet in the kitchen stays signed in, in ms. */
  longSessionTtl: 30 * DAY,
  /** Users of a restaurant, invited ones among them, and entries of their log that a page shows. */
  maxUsers: 100,
  maxPeopleEntries: 50,
  /** Longest name of a person, in characters. */
  maxPersonNameLength: 100,
  /** Failed sign-ins of one account and of one address in a window, and its length in ms. */
  maxAccountFailures: 10,
  maxAddressFailures: 30,
  signInWindow: 15 * 60_000,
  /** Sign-ins at the same time in a gateway, which checks their passwords one after the other. */
  maxSignIns: 60,
  /** Those of one IPv4 address or IPv6 site (/48) at all restaurants, and all at one restaurant. */
  maxSignInsPerClient: 3,
  maxSignInsPerRestaurant: 20,
  /** Retry-After of a sign-in that was refused because too many wait, in ms. */
  busyRetryAfter: 5_000,
  /** Longest e-mail address (RFC 5321), in characters. */
  maxEmailLength: 254,
};

/** The constants of screens on walls, as part of those of `constants.ts`. */
export const screenConstants = {
  /**
   * Screens of a restaurant that wait for somebody who types their letters, and those of one IPv4
   * address or IPv6 /48 among them.
   */
  maxWaitingScreens: 500,
  maxWaitingScreensPerClient: 50,
  /** How long the letters of a screen are valid, in ms. */
  screenCodeTtl: 5 * 60_000,
  /** Letters that somebody of a restaurant may type wrongly in a `signInWindow`. */
  maxScreenGuesses: 20,
  /** New letters that an IPv4 address or IPv6 /48 gets in a minute and gateway. */
  maxScreenCodes: 30,
  /** Pause between two writes of the contacts of screens, in ms. */
  screenContactInterval: 5_000,
  /** A screen is away so long after its last contact: when its stream has ended, and otherwise. */
  screenGoneAfter: 60_000,
  screenSilentAfter: 11 * 60_000,
  /** How long a screen is away in opening hours before owners are told, in ms. */
  screenTellAfter: 10 * 60_000,
  /** Pause between two looks for such screens, in ms. */
  screenWatchInterval: 60_000,
};
