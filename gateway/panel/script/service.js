// The page of a tablet in the kitchen follows the menu: what others did appears at once. Without
// this script a reload shows it.
const live = document.querySelector('[data-live]');
if (live) {
  // The search finds while somebody types; without this script its button does.
  const search = document.getElementById('q');
  const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const find = () => {
    const words = fold(search.value).split(/\s+/).filter(Boolean);
    let isNone = true;
    for (const section of live.querySelectorAll('section')) {
      let isEmpty = true;
      for (const item of section.querySelectorAll('li')) {
        item.hidden = !words.every((word) => item.dataset.find.includes(word));
        isEmpty &&= item.hidden;
      }
      section.hidden = isEmpty;
      isNone &&= isEmpty;
    }
    live.querySelector('.no-dish').hidden = !isNone;
  };
  search.addEventListener('input', find);
  let isStale = false;
  let isBusy = false;
  const renew = async () => {
    isStale = true;
    if (isBusy) return;
    isBusy = true;
    while (isStale) {
      isStale = false;
      try {
        const response = await fetch(location.pathname + location.search, { redirect: 'manual' });
        // The session has ended: the page leads to the form that begins another one.
        if (response.type === 'opaqueredirect' && !live.querySelector('[aria-busy="true"]')) {
          location.reload();
          return;
        }
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        const fresh = page.querySelector('[data-live]');
        // A form that is on its way stays, and its answer shows the menu as it is then.
        if (fresh && !live.querySelector('[aria-busy="true"]')) {
          const focused = document.activeElement?.closest?.('li')?.id;
          const wish = document.activeElement?.value;
          live.replaceChildren(...fresh.childNodes);
          find();
          const item = focused && document.getElementById(focused);
          const buttons = item ? [...item.querySelectorAll('button')] : [];
          (buttons.find(({ value }) => value === wish) ?? buttons[0])?.focus();
        }
      } catch {
        // There is no connection: the next version tries again.
      }
    }
    isBusy = false;
  };
  // The page is as new as the first event; a stream that is opened later may have missed some.
  let isFirst = true;
  const follow = () => {
    const stream = new EventSource('/display/stream');
    stream.addEventListener('version', () => {
      if (!isFirst) void renew();
      isFirst = false;
    });
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 30_000);
    });
  };
  follow();
  addEventListener('outbox-sent', () => void renew());
  // A tablet that was asleep may have missed much.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void renew();
  });
}
