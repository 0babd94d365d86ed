// Photos are sent one after the other when they are chosen, before the form is saved. Without this
// script a button sends them.
const sayUpload = (part, key, name) => part.dataset[key].replaceAll('{name}', name);

function sendPhoto(file, token, onProgress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.set('form_token', token);
    form.set('file', file, file.name);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      try {
        resolve(JSON.parse(request.responseText));
      } catch {
        resolve(null);
      }
    };
    request.onerror = () => resolve(null);
    request.open('POST', '/admin/photos');
    request.setRequestHeader('Accept', 'application/json');
    request.send(form);
  });
}

function addChoice(part, { id, image, label }, isChosen) {
  const choices = part.closest('fieldset').querySelector('.photo-choices');
  let input = choices.querySelector(`input[value="${id}"]`);
  if (!input) {
    const choice = choices.lastElementChild.cloneNode(true);
    choice.title = label;
    input = choice.querySelector('input');
    input.value = id;
    const picture = Object.assign(new Image(96, 96), { src: image, alt: label });
    choice.replaceChildren(input, picture);
    choices.children[0].after(choice);
  }
  const folded = choices.closest('details');
  folded.hidden = false;
  folded.open = true;
  if (!isChosen) return;
  input.checked = true;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.scrollIntoView({ block: 'nearest', inline: 'center' });
}

async function sendPhotos(part, input) {
  const status = part.querySelector('[role="status"]');
  const token = input.form.elements.form_token.value;
  const troubles = [];
  let isAny = false;
  input.disabled = true;
  for (const file of input.files) {
    const answer = await sendPhoto(file, token, (share) => {
      const key = share < 1 ? 'uploading' : 'working';
      status.textContent = `${sayUpload(part, key, file.name)} ${Math.round(share * 100)} %`;
    });
    if (answer?.photo) {
      // The first of several is chosen; the others can be.
      if (part.dataset.upload) addChoice(part, answer.photo, !isAny);
      isAny = true;
    } else troubles.push(answer?.text ?? sayUpload(part, 'failed', file.name));
  }
  input.disabled = false;
  input.value = '';
  status.textContent = troubles.join(' ');
  // The list of all photos is a page of the server's.
  if (isAny && !part.dataset.upload && troubles.length === 0) location.reload();
  return troubles.length === 0;
}

/** By its form, whether the photos that are on their way have arrived. */
const uploads = new WeakMap();

for (const part of document.querySelectorAll('[data-upload]')) {
  const input = part.querySelector('input[type="file"]');
  part.querySelector('button').hidden = true;
  input.addEventListener('change', () => {
    const upload = sendPhotos(part, input).finally(() => uploads.delete(input.form));
    uploads.set(input.form, upload);
  });
}

// A form that is sent while photos are on their way would be saved without them: it waits.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event;
    const upload = uploads.get(form);
    if (!upload || submitter?.formTarget) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void upload.then((isThere) => isThere && form.requestSubmit(submitter));
  },
  true,
);

// A tap on a photo sets its focal point.
for (const figure of document.querySelectorAll('[data-focus]')) {
  const box = figure.querySelector('div');
  const mark = figure.querySelector('span');
  const [x, y] = ['x', 'y'].map((axis) => document.getElementById(`f-focus_${axis}`));
  const show = () => {
    mark.hidden = false;
    mark.style.left = `${x.value}%`;
    mark.style.top = `${y.value}%`;
  };
  box.addEventListener('click', (event) => {
    const { left, top, width, height } = box.getBoundingClientRect();
    x.value = Math.round(((event.clientX - left) / width) * 100);
    y.value = Math.round(((event.clientY - top) / height) * 100);
    show();
  });
  for (const field of [x, y]) field.addEventListener('input', show);
  show();
}
