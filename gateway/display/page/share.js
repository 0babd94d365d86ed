/** How long the word that the link is copied stands, in ms. */
const SHOWN = 3_000;

function openNamed(menu) {
  const name = location.hash.slice(1);
  const details = name.startsWith('dish-') && menu.querySelector(`#${CSS.escape(name)} > details`);
  if (details) details.open = true;
}

async function share(button, texts) {
  const url = new URL(`#${button.closest('.dish').id}`, location.href);
  url.search = '';
  const title = button
    .closest('.dish')
    .querySelector('.name .own')
    .textContent.replace(/\u00ad/g, '');
  try {
    if (navigator.share) return await navigator.share({ title, url: url.href });
    await navigator.clipboard.writeText(url.href);
    button.textContent = texts().linkCopied;
  } catch {
    // Without TLS there is no clipboard, and a guest may change their mind: the address shows the dish.
    history.replaceState(history.state, '', url.hash);
  }
  setTimeout(() => {
    button.textContent = texts().share;
  }, SHOWN);
}

/** Opens the dish that the address names, and gives each opened dish a button that shares it. */
export function watchShares(menu, texts) {
  menu.addEventListener(
    'toggle',
    ({ target }) => {
      const more = target.open && target.querySelector(':scope > .more');
      if (!more || more.querySelector('.share')) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'share';
      button.textContent = texts().share;
      button.addEventListener('click', () => share(button, texts));
      more.append(button);
    },
    true,
  );
  addEventListener('hashchange', () => openNamed(menu));
  openNamed(menu);
}
