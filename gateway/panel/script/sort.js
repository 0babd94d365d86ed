// Rows can be dragged to another place, by mouse, finger or pen. Without this script buttons move them.
for (const list of document.querySelectorAll('[data-sortable]')) {
  const rows = [...list.querySelectorAll('[data-id]')];
  for (const row of rows) {
    const moves = row.querySelector('.moves');
    const group = rows.filter((one) => one.dataset.group === row.dataset.group);
    if (!moves || group.length < 2) continue;
    const others = group.filter((one) => one !== row);
    const next = group[group.indexOf(row) + 1];
    let isDragged = false;
    // The row before which it would stand; undefined at the end.
    let before = next;

    const clear = () => {
      for (const one of group) one.classList.remove('dragged', 'drop-before', 'drop-after');
    };
    const show = (y) => {
      before = others.find((one) => {
        const { top, height } = one.getBoundingClientRect();
        return y < top + height / 2;
      });
      clear();
      row.classList.add('dragged');
      if (before === next) return;
      if (before) before.classList.add('drop-before');
      else others.at(-1).classList.add('drop-after');
    };
    const stop = () => {
      isDragged = false;
      clear();
    };
    const drop = () => {
      stop();
      if (before === next) return;
      const button = document.createElement('button');
      button.hidden = true;
      button.name = 'do';
      button.value = `${list.dataset.sortable}-before:${row.dataset.id}:${before?.dataset.id ?? 0}`;
      const form = list.closest('form');
      form.append(button);
      form.requestSubmit(button);
    };

    const grip = document.createElement('span');
    grip.className = 'grip';
    grip.setAttribute('aria-hidden', 'true');
    grip.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      isDragged = true;
      before = next;
    });
    grip.addEventListener('pointermove', ({ clientY }) => {
      if (!isDragged) return;
      // A long list moves along at its ends.
      const edge = 48;
      if (clientY < edge) scrollBy(0, -edge / 4);
      else if (clientY > innerHeight - edge) scrollBy(0, edge / 4);
      show(clientY);
    });
    grip.addEventListener('pointerup', () => isDragged && drop());
    grip.addEventListener('pointercancel', stop);
    addEventListener('keydown', ({ key }) => isDragged && key === 'Escape' && stop());
    moves.prepend(grip);
  }
}
