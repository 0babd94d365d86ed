import { createLive } from './live.js';

/** Pause between two checks without a stream, and with one, in ms; pages spread around it. */
const POLL_EVERY = 8_000;
const LIVE_EVERY = 300_000;
/** Pause before a page that is behind the stream asks again, in ms. */
const BEHIND_EVERY = 1_000;
/** Longest pause after failures, in ms. */
const LONGEST_WAIT = 300_000;
/** The pages that hear of a change at once spread their questions over this time, in ms. */
const SPREAD = 300;

/** For how long the gateway wants no question, in ms, by a clock that is never set back. */
function createQuiet() {
  let end = 0;
  return {
    begin: (time) => {
      end = performance.now() + time;
    },
    left: () => end - performance.now(),
  };
}

/** Calls `look` when the page is shown or hidden, and `leave` when it is left. */
function onVisibility(look, leave) {
  document.addEventListener('visibilitychange', look);
  addEventListener('pageshow', ({ persisted }) => persisted && look());
  addEventListener('pagehide', leave);
}

/**
 * Keeps the page fresh: by the stream of versions, and by checks where there is none. A hidden page
 * does neither.
 *
 * @param check asks once whether there is something new, and shows it
 * @param present names the version that the page shows: `version` and `generated_at`
 * @param always whether to go on while the page is hidden
 * @param query of the stream's address, for a screen with a place
 * @param onScreen called when the settings of the screen may have changed
 * @param onState called after each attempt with whether it succeeded
 * @returns checks at once; with `false`, not before the moment to which the gateway has put it off
 */
export function follow({ check, present, always, onState, query = '', onScreen = () => {} }) {
  let failures = 0;
  let asked = Date.now();
  let missed = false;
  const quiet = createQuiet();
  let busy = false;
  let again = false;
  /** The version that the stream has told last. */
  let told;
  let timer;

  const isAway = () => document.hidden && !always;
  const plan = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(turn, wait * (1 + Math.random() * 0.3));
  };
  // Versions of one second have one time, and after a restore of the database a number comes twice.
  const isShown = ({ version, generated_at }) =>
    version === present().version && generated_at === present().generated_at;
  const every = () => {
    if (!live.isOpen()) return POLL_EVERY;
    // Another gateway than that of the stream has answered, which knows of the version in a moment.
    return told && told.version > present().version ? BEHIND_EVERY : LIVE_EVERY;
  };
  const live = createLive({
    ...{ query, onScreen },
    onVersion: (version) => {
      told = version;
      if (!isShown(version)) {
        clearTimeout(timer);
        timer = setTimeout(turn, Math.random() * SPREAD);
      } else if (failures === 0 && !busy) {
        onState(true);
        plan(LIVE_EVERY);
      } else void turn();
    },
    onLost: () => {
      if (failures === 0 && !busy && !isAway()) plan(POLL_EVERY);
    },
  });
  const attempt = async () => {
    asked = Date.now();
    try {
      await check();
      failures = 0;
      return every();
    } catch (error) {
      console.warn(error);
      failures += 1;
      quiet.begin(error.retryAfter || 0);
      return Math.max(error.retryAfter || 0, Math.min(POLL_EVERY * 2 ** failures, LONGEST_WAIT));
    }
  };
  async function turn(isWanted) {
    missed = isAway();
    if (missed) return;
    if (!isWanted && quiet.left() > 0) return plan(quiet.left());
    again = busy;
    if (busy) return;
    busy = true;
    const wait = await attempt();
    busy = false;
    onState(failures === 0);
    if (again) void turn();
    else plan(wait);
  }
  // A hidden page's turn passes unused; the page makes it good when it is shown again. Timers stand still
  // while a device sleeps, its clock does not, but may be set back.
  const look = () => {
    if (isAway()) return live.close();
    live.open();
    if (missed || Math.abs(Date.now() - asked) > POLL_EVERY) void turn();
  };

  onVisibility(look, live.close);
  addEventListener('online', () => failures > 0 && void turn());
  if (!isAway()) live.open();
  plan(POLL_EVERY);
  return (isWanted = true) => void turn(isWanted);
}
