/** The constants of screens on walls, as part of those of `constants.ts`. */
export const screenConstants = {
  /** Screens of a restaurant, and screens of it that wait for somebody who types their letters. */
  maxScreens: 100,
  maxWaitingScreens: 100,
  maxScreenNameLength: 100,
  /** How long the letters of a screen are valid, in ms, and how many there are. */
  screenCodeTtl: 5 * 60_000,
  screenCodeLength: 6,
  /** Letters that somebody of a restaurant may type wrongly in a `signInWindow`. */
  maxScreenGuesses: 20,
  /** New letters that an IPv4 address or IPv6 /48 gets in a minute and gateway, and such clients. */
  maxScreenCodes: 30,
  maxScreenClients: 10_000,
  /** Pause after which a screen without a place asks again, in s. */
  screenRefreshSeconds: 4,
  /** Sections that a screen may name, and parts of a menu, and the time of a page in s. */
  maxScreenSections: 200,
  maxScreenParts: 8,
  minPageSeconds: 3,
  maxPageSeconds: 600,
  /** Screens whose settings a gateway has in memory. */
  maxKnownScreens: 20_000,
  /** How long a screen shows its name, in ms. */
  screenNameTime: 60_000,
  /** Pause between two writes of the contacts of screens, in ms. */
  screenContactInterval: 5_000,
  /** A screen is away so long after its last contact: when its stream has ended, and otherwise. */
  screenGoneAfter: 60_000,
  screenSilentAfter: 11 * 60_000,
  /** How long a screen is away in opening hours before owners are told, in ms. */
  screenTellAfter: 10 * 60_000,
  /** Pause between two looks for such screens, in ms, and how many one statement reads. */
  screenWatchInterval: 60_000,
  awayScreensPerBatch: 1_000,
};
