// A preview follows what is typed. While an answer is on its way no other one is asked for: the next
// request begins when it is there, with all that was typed meanwhile. Each answer comes into a frame of
// its own, which takes the place of the former one once it is ready. So nothing flashes, and the
// browser's history does not grow. Without this script the button shows the preview.
for (const button of document.querySelectorAll('button[data-preview]')) {
  const { form } = button;
  const part = button.closest('.preview');
  const warned = document.querySelector('.warned');
  let shown = part.querySelector('iframe');
  let count = 0;
  let coming = null;
  let isOutdated = false;

  // A dish that was opened stays open, and the reader stays where they were.
  const carryOver = (from, to) => {
    const opened = from?.querySelector('details[open]');
    if (opened) to.querySelector('details')?.setAttribute('open', '');
    const place = from?.scrollingElement?.scrollTop ?? 0;
    if (to.scrollingElement) to.scrollingElement.scrollTop = place;
    const warnings = to.querySelector('.warnings');
    warned?.replaceChildren(...(warnings ? [warnings] : []));
  };
  // A dish or a section is seen as a whole; the height of the menu's page comes from the stylesheet.
  const fit = () => {
    const { scrollHeight = 0 } = shown.contentDocument?.documentElement ?? {};
    if (scrollHeight > shown.clientHeight) shown.height = Math.min(scrollHeight + 2, 560);
  };
  const arrive = () => {
    const next = coming.contentDocument;
    if (next?.URL === 'about:blank') return;
    // A browser shows its own page, which we may not read, when there is no answer.
    if (next?.getElementById('menu')) {
      carryOver(shown.contentDocument, next);
      coming.classList.remove('coming');
      shown.remove();
      shown = coming;
      fit();
    } else coming.remove();
    coming = null;
    if (isOutdated) show();
  };
  const show = () => {
    // The form is being saved: to send it again, into the frame, would take that back.
    if (form.getAttribute('aria-busy') === 'true') return;
    isOutdated = coming !== null;
    if (isOutdated) return;
    count += 1;
    coming = shown.cloneNode();
    coming.removeAttribute('src');
    coming.name = `preview-${count}`;
    coming.classList.add('coming');
    shown.after(coming);
    coming.addEventListener('load', arrive);
    button.formTarget = coming.name;
    form.requestSubmit(button);
  };
  button.addEventListener('click', (event) => {
    event.preventDefault();
    show();
  });
  form.addEventListener('input', show);
  part.addEventListener('input', show);
  if (shown.hasAttribute('src')) {
    shown.addEventListener('load', fit);
    fit();
  } else show();
}
