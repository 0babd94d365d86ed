// Below the last object of a list a free one appears as soon as something is typed into it.
for (const list of document.querySelectorAll('.rows')) {
  list.addEventListener('input', ({ target }) => {
    const rows = list.querySelectorAll(':scope > .list-row');
    const last = rows[rows.length - 1];
    if (rows.length >= Number(list.dataset.most) || target.closest('.list-row') !== last) return;
    const next = last.cloneNode(true);
    const renamed = (text, sign) =>
      text.replace(`${sign}${rows.length - 1}${sign}`, `${sign}${rows.length}${sign}`);
    for (const element of next.querySelectorAll('[id], [for], [name]')) {
      for (const name of ['id', 'for']) {
        const value = element.getAttribute(name);
        if (value) element.setAttribute(name, renamed(value, '-'));
      }
      if (!element.name) continue;
      element.name = renamed(element.name, '.');
      if (element.type === 'checkbox') element.checked = false;
      else if (element.matches('input')) element.value = '';
    }
    last.after(next);
  });
}
