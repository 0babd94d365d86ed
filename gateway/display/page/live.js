/** The stream costs no request of the limit, and each address may have many. */
const ADDRESS = '/display/stream';
/** Pause before a refused stream is asked for again, in ms; pages spread over twice that time. */
const REFUSED_WAIT = 60_000;

/**
 * Makes the stream on which the gateway tells of new versions of the menu. The browser opens an ended
 * stream again; after a refusal it gives up, and this tries again later.
 *
 * @param query of the stream's address, with its question mark
 * @param onScreen called when the stream begins, and when the settings of the screen have changed
 * @param onVersion called with the number of the present version, and when it was built
 * @param onLost called when the stream ends or cannot be had
 */
export function createLive({ query, onVersion, onScreen, onLost }) {
  let source;
  let timer;

  const open = () => {
    clearTimeout(timer);
    if (source || !('EventSource' in window)) return;
    source = new EventSource(ADDRESS + query);
    source.onopen = onScreen;
    source.addEventListener('screen', onScreen);
    source.addEventListener('version', ({ data }) => onVersion(JSON.parse(data)));
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) {
        close();
        timer = setTimeout(open, REFUSED_WAIT * (1 + Math.random()));
      }
      onLost();
    };
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  return { open, close, isOpen: () => source?.readyState === EventSource.OPEN };
}
