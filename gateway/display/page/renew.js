// Loads the page again: where one of its files did not come, for without it the page is empty or has
// no colours, and on a screen, which runs for months. It stands alone, so that it is there when the
// others are not.
const HOUR = 3_600_000;
/** Pauses before such a page is loaded again, in ms: the first, which grows, and the longest. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 300_000;

const root = document.documentElement;
const tries = history.state?.tries ?? 0;

/** Reloads once the gateway answers: an error page in the menu's place would stay for ever. */
async function reload(pause) {
  const signal = AbortSignal.timeout?.(10_000);
  const isThere = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) location.reload();
  else setTimeout(reload, pause, pause);
}

/** Whether a stylesheet of ours did not come: it is missing, empty, or must not be looked into. */
function isBare() {
  const sheets = document.querySelectorAll('link[rel=stylesheet][href^="/display/"]');
  return [...sheets].some(({ sheet }) => {
    try {
      return !sheet?.cssRules.length;
    } catch {
      return true;
    }
  });
}

const renewScreen = () => {
  if (root.classList.contains('screen')) void reload(HOUR);
};

const isWhole = () => 'begun' in root.dataset && !isBare();
const settle = () => {
  if (isWhole()) history.replaceState(null, '');
};

// A screen begins after its own modules, which may come after all else.
addEventListener('begun', settle);
addEventListener('load', () => {
  settle();
  const pause = Math.min(FIRST_WAIT * 2 ** tries, LONGEST_WAIT);
  const renew = () => {
    if (isWhole()) return;
    history.replaceState({ tries: tries + 1 }, '');
    void reload(pause);
  };
  if (!isWhole()) setTimeout(renew, pause);
});
// Once a day a screen takes on what else may have changed.
setTimeout(renewScreen, 24 * HOUR);
addEventListener('outdated', renewScreen);
