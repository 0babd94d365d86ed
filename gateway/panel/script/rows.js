// Below the last object of a list a free one appears as soon as something is typed into it.
document.addEventListener('input', ({ target }) => {
  let row = target.closest?.('.rows > .list-row');
  for (; row; row = row.parentElement.closest('.rows > .list-row')) {
    const list = row.parentElement;
    const count = list.children.length;
    if (row !== list.lastElementChild || count >= Number(list.dataset.most)) continue;
    const { rows } = list.dataset;
    const next = row.cloneNode(true);
    const rename = (element, name, sign) => {
      const value = element.getAttribute(name);
      const path = `${rows.replaceAll('.', sign)}${sign}`;
      if (value) element.setAttribute(name, value.replace(path + (count - 1), path + count));
    };
    for (const element of next.querySelectorAll('[id], [for], [name], [data-rows]')) {
      for (const name of ['id', 'for']) rename(element, name, '-');
      for (const name of ['name', 'data-rows']) rename(element, name, '.');
      if (!element.name) continue;
      if (element.type === 'checkbox') element.checked = false;
      else if (element.matches('input, textarea')) element.value = '';
    }
    // Of the lists in it, one free object is enough.
    for (const inner of next.querySelectorAll('.rows')) {
      while (inner.children.length > 1) inner.lastElementChild.remove();
    }
    list.append(next);
  }
});
