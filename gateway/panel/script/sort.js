// Dishes can be dragged to another place. Without this script buttons move them.
for (const form of document.querySelectorAll('form[data-sortable]')) {
  const rows = [...form.querySelectorAll('[data-dish]')];
  let dragged = null;
  const clear = () => {
    for (const row of rows) row.classList.remove('drop-before', 'drop-after');
  };
  const isBelow = (row, event) => {
    const { top, height } = row.getBoundingClientRect();
    return event.clientY > top + height / 2;
  };
  for (const row of rows) {
    row.draggable = true;
    row.addEventListener('dragstart', (event) => {
      // Text in a field is selected by dragging, too.
      if (document.activeElement?.matches('input[type="text"]')) event.preventDefault();
      else {
        dragged = row;
        row.classList.add('dragged');
        event.dataTransfer.effectAllowed = 'move';
      }
    });
    row.addEventListener('dragend', () => {
      row.classList.remove('dragged');
      clear();
      dragged = null;
    });
    row.addEventListener('dragover', (event) => {
      if (!dragged || dragged === row) return;
      event.preventDefault();
      clear();
      row.classList.add(isBelow(row, event) ? 'drop-after' : 'drop-before');
    });
    row.addEventListener('drop', (event) => {
      if (!dragged || dragged === row) return;
      event.preventDefault();
      const rest = rows.filter((one) => one !== dragged);
      const place = rest.indexOf(row) + (isBelow(row, event) ? 1 : 0);
      const field = document.createElement('input');
      field.type = 'hidden';
      field.name = 'do';
      field.value = `place:${dragged.dataset.dish}:${place}`;
      form.append(field);
      form.submit();
    });
  }
}
