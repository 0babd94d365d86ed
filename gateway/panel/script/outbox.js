// Forms that are sent while there is no connection: they are kept in this browser, shown as waiting,
// and sent when the connection is back. A form has a name of its own, so one that is sent twice is one
// write. Without this script the browser says that there is no connection.
const outbox = document.getElementById('outbox');
if (outbox && window.AbortSignal?.timeout && HTMLFormElement.prototype.requestSubmit) {
  const KEY = 'lavagna-outbox';
  const MOST = 200;
  const PAUSE = 3_000;
  const texts = outbox.dataset;
  let timer;
  let isSending = false;
  let ready = null;

  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? '[]');
    } catch {
      return [];
    }
  };
  /** False where the browser keeps nothing for us, or has no room. */
  const write = (entries) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(entries));
      return true;
    } catch {
      return false;
    }
  };
  const isReached = async () => {
    try {
      // Where a restaurant has moved, the form gets a page that leads to it.
      const own = { cache: 'no-store', redirect: 'manual' };
      const probe = { ...own, signal: AbortSignal.timeout(4_000) };
      const { ok, type } = await fetch('/admin/icon.svg', probe);
      return ok || type === 'opaqueredirect';
    } catch {
      return false;
    }
  };

  const line = (text, buttons = []) => {
    const part = document.createElement('p');
    part.textContent = text;
    for (const [label, press] of buttons) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'button';
      button.textContent = label;
      button.addEventListener('click', press);
      part.append(' ', button);
    }
    return part;
  };
  /** Sends a kept form as the page would have done, so that the browser shows the answer. */
  const open = (entry) => {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = entry.path;
    for (const [name, value] of new URLSearchParams(entry.body)) {
      const field = document.createElement('input');
      field.type = 'hidden';
      field.name = name;
      field.value = value;
      form.append(field);
    }
    document.body.append(form);
    forget(entry);
    form.submit();
  };
  const forget = (entry) => {
    write(read().filter(({ id }) => id !== entry.id));
    show();
  };
  const show = (said = '') => {
    const entries = read();
    const waiting = entries.filter(({ isRefused }) => !isRefused);
    const refused = entries.filter(({ isRefused }) => isRefused);
    const lines = [];
    if (waiting.length > 0) lines.push(line(`${texts.waiting} ${names(waiting)}`));
    for (const entry of refused) {
      const look = [texts.look, () => open(entry)];
      const drop = [texts.drop, () => forget(entry)];
      lines.push(line(`${texts.refused} ${entry.what}`, [look, drop]));
    }
    if (said !== '') lines.push(line(said));
    const kind = refused.length > 0 || said === texts.lost ? 'bad' : 'good';
    outbox.className = lines.length > 0 ? `notice ${kind}` : '';
    outbox.hidden = lines.length === 0;
    outbox.replaceChildren(...lines);
    for (const item of document.querySelectorAll('[data-waits]'))
      item.removeAttribute('data-waits');
    for (const { formId } of waiting) {
      const field = document.querySelector(`input[name="form_id"][value="${CSS.escape(formId)}"]`);
      (field?.closest('li') ?? field?.form)?.setAttribute('data-waits', '');
    }
  };
  const names = (entries) => entries.map(({ what }) => what).join(' · ');

  /** The button's own words, with the page's title where they need it. */
  const nameOf = (submitter) => {
    const button = submitter?.getAttribute('aria-label');
    if (button) return button;
    const title = document.querySelector('main h1')?.textContent ?? '';
    return `${title.trim()}: ${(submitter?.textContent ?? '').trim()}`;
  };
  const bodyOf = (form, submitter) => {
    const fields = new URLSearchParams(new FormData(form));
    if (submitter?.name) fields.set(submitter.name, submitter.value);
    // "Today" is the day on which somebody said it.
    fields.set('at', String(Date.now()));
    return fields;
  };
  /** A form as it is kept. The same button of the same form says it anew. */
  const entryOf = (form, submitter) => {
    const body = bodyOf(form, submitter);
    const formId = body.get('form_id') ?? '';
    const path = form.getAttribute('action') || location.pathname + location.search;
    const id = [path, formId, body.get('do') ?? ''].join(' ');
    return { id, formId, path, body: body.toString(), what: nameOf(submitter) };
  };
  const keep = (entry) => {
    const { id, formId } = entry;
    const others = read().filter((one) => one.id !== id);
    const isKept = formId !== '' && others.length < MOST && write([...others, entry]);
    show(isKept ? '' : texts.lost);
    if (isKept) plan();
    else outbox.scrollIntoView({ block: 'nearest' });
  };

  /** 'done', 'refused', or 'later' for an answer that says nothing about the change. */
  const send = async (entry) => {
    const body = new URLSearchParams(entry.body);
    const token = document.querySelector('input[name="form_token"]')?.value;
    // Somebody may have signed in again meanwhile.
    if (token) body.set('form_token', token);
    const response = await fetch(entry.path, { method: 'POST', body });
    const { status, url } = response;
    if (status === 202 || status === 429 || status >= 500) return 'later';
    if (new URL(url).pathname.startsWith('/admin/sign-in')) return 'later';
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return response.ok && !page.querySelector('main .notice.bad') ? 'done' : 'refused';
  };
  const sendAll = async () => {
    let isDone = false;
    for (const entry of read().filter(({ isRefused }) => !isRefused)) {
      const result = await send(entry).catch(() => 'later');
      if (result === 'later') break;
      const isRefused = result === 'refused';
      // Another form may have been kept meanwhile.
      write(
        read().flatMap((one) => {
          if (one.id !== entry.id || one.body !== entry.body) return [one];
          return isRefused ? [{ ...one, isRefused }] : [];
        }),
      );
      isDone ||= !isRefused;
    }
    show(isDone ? texts.sent : '');
    if (isDone) dispatchEvent(new Event('outbox-sent'));
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (isSending) return;
      isSending = true;
      if (await isReached()) await sendAll();
      isSending = false;
      if (read().some(({ isRefused }) => !isRefused)) plan();
    }, PAUSE);
  };

  addEventListener('submit', async (event) => {
    const { target: form, submitter } = event;
    const isOurs = form.matches('.desk main form[method="post"]') && !form.matches('.late');
    const isFile = form.enctype === 'multipart/form-data';
    if (event.defaultPrevented || !isOurs || isFile || submitter?.formTarget) return;
    if (ready === form) {
      ready = null;
      return;
    }
    event.preventDefault();
    const isOnline = await isReached();
    form.removeAttribute('aria-busy');
    const entry = entryOf(form, submitter);
    if (!isOnline) {
      keep(entry);
      return;
    }
    // It may have been kept before.
    forget(entry);
    ready = form;
    form.requestSubmit(submitter);
  });
  addEventListener('online', plan);
  show();
  if (read().length > 0) plan();
}
