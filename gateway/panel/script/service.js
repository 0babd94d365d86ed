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
      for (const group of section.querySelectorAll('.group')) {
        group.hidden = !group.querySelector('li:not([hidden])');
        if (words.length > 0) group.open = true;
      }
      section.hidden = isEmpty;
      isNone &&= isEmpty;
    }
    live.querySelector('.no-dish').hidden = !isNone;
  };
  search.addEventListener('input', find);
  // A dish stays where it was tapped: the page that answers is as far down as the one before.
  const TAPPED = 'lavagna-tapped';
  try {
    addEventListener('submit', ({ target: form }) => {
      const item = form.closest('[data-live] li');
      if (!item) return;
      const { top } = item.getBoundingClientRect();
      sessionStorage.setItem(TAPPED, JSON.stringify({ id: item.id, top }));
      form.setAttribute('action', location.pathname);
    });
    const { id, top } = JSON.parse(sessionStorage.getItem(TAPPED) ?? '{}');
    sessionStorage.removeItem(TAPPED);
    const item = document.getElementById(id);
    if (item) {
      scrollBy(0, item.getBoundingClientRect().top - top);
      item.querySelector('button').focus({ preventScroll: true });
    }
  } catch {
    // The browser keeps nothing for us: the address leads to the dish.
  }
  // A copy of the page and its files, from which the worker opens it without a connection.
  const keep = async (response) => {
    if (!window.caches || location.search !== '') return;
    const cache = await caches.open('floor');
    const files = [...document.querySelectorAll('link[rel="stylesheet"], script[src]')];
    await cache.addAll(files.map((file) => file.href || file.src));
    await cache.put(location.pathname, response);
  };
  if (navigator.serviceWorker) {
    navigator.serviceWorker
      .register('/display/worker.js', { scope: '/' })
      .then(() => fetch(location.href, { redirect: 'manual' }))
      .then((response) => response.ok && keep(response))
      .catch(console.warn);
  }
  if ('kept' in document.documentElement.dataset) {
    document.querySelector('[data-kept-note]').hidden = false;
  }
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
        if (response.ok) void keep(response.clone());
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        const fresh = page.querySelector('[data-live]');
        // A form that is on its way stays, and its answer shows the menu as it is then.
        if (fresh && !live.querySelector('[aria-busy="true"]')) {
          const focused = document.activeElement?.closest?.('li')?.id;
          const wish = document.activeElement?.value;
          const opened = [...live.querySelectorAll('.group[open]')].map(({ id }) => id);
          live.replaceChildren(...fresh.childNodes);
          live.dataset.version = fresh.dataset.version;
          for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
          document.querySelector('[data-kept-note]').hidden = true;
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
  // Before the stream was there somebody may have changed the menu; one that is opened later may have
  // missed some.
  let isFirst = true;
  const follow = () => {
    const stream = new EventSource('/display/stream');
    stream.addEventListener('version', ({ data }) => {
      const isShown = String(JSON.parse(data).version) === live.dataset.version;
      if (!isFirst || !isShown) void renew();
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
// The next person who signs in on this device begins without the copy of the last one.
if (document.body.matches('.sign-in')) void window.caches?.delete('floor');
