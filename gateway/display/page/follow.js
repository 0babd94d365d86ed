/** Longest pause after failures, in ms. */
const LONGEST_WAIT = 300_000;

/**
 * Keeps the page fresh. `check` asks once whether there is something new and shows it; `onState` is
 * called after each attempt with whether it succeeded.
 *
 * @param every pause between two checks, in ms; pages spread around it
 * @param always whether to ask on while the page is hidden
 * @returns checks at once
 */
export function follow({ check, every, always, onState }) {
  let failures = 0;
  let asked = Date.now();
  let missed = false;
  let busy = false;
  let again = false;
  let timer;

  const plan = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(turn, wait * (1 + Math.random() * 0.3));
  };
  const attempt = async () => {
    asked = Date.now();
    try {
      await check();
      failures = 0;
      return every;
    } catch (error) {
      console.warn(error);
      failures += 1;
      return Math.max(error.retryAfter || 0, Math.min(every * 2 ** failures, LONGEST_WAIT));
    }
  };
  async function turn() {
    missed = document.hidden && !always;
    if (missed) return;
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
    if (!document.hidden && (missed || Date.now() - asked > every)) void turn();
  };

  document.addEventListener('visibilitychange', look);
  addEventListener('pageshow', look);
  addEventListener('online', () => failures > 0 && void turn());
  plan(every);
  return () => void turn();
}
