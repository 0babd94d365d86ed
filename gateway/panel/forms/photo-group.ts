import { PHOTO_TYPES } from '../../../db/schema/photo.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { type FormView, one } from './draft.ts';
import { group, inputId, type Option } from './inputs.ts';

/** Phones turn their own format into one of these. */
export const ACCEPTED = [...Object.values(PHOTO_TYPES), 'image/png'].join(',');

/** The texts that the script shows while it sends files. */
export function uploadTexts(say: Say): Html {
  const name = '{name}';
  return html` data-uploading="${say('photos.uploading', { name })}" \
data-working="${say('photos.working', { name })}" data-later="${say('photos.later', { name })}" \
data-failed="${say('photos.failed', { name })}"`;
}

function photoChoice(name: string, { value, label, image }: Option, chosen: string): Html {
  const checked = value === chosen && html` checked`;
  const picture =
    image === undefined
      ? html`<span class="no-photo">${label}</span>`
      : html`<img src="${image}" alt="${label}" loading="lazy" width="96" height="96">`;
  return html`<label class="photo-choice" title="${label}"><input type="radio" name="${name}" \
value="${value}"${checked}>${picture}</label>`;
}

/** The photos of the restaurant to choose from, and a way to add some before the form is saved. */
export function photoGroup(view: FormView, name: string, legend: Content): Html {
  const { say, draft, errors, options } = view;
  const chosen = one(draft, name);
  const id = `${inputId(name)}-file`;
  const choices = (options[name] ?? []).map((option) => photoChoice(name, option, chosen));
  const shown = (options[name] ?? []).find(({ value }) => value === chosen);
  const n = (options[name] ?? []).filter(({ image }) => image !== undefined).length;
  const present =
    shown?.image !== undefined &&
    html`<img class="chosen-photo" src="${shown.image}" alt="${shown.label}">`;
  // Most dishes have a photo of their own: the others are there for those who look for them.
  const hidden = n === 0 && html` hidden`;
  const choice = html`<details class="others"${hidden}><summary>${say('photos.choose', { n })}</summary>
<div class="photo-choices">${choices}</div></details>`;
  const content = html`${present}
<div class="photo-upload" data-upload="${name}"${uploadTexts(say)}>
<label for="${id}">${say('photos.chooseMany')}</label>
<input id="${id}" type="file" name="${name}.file" accept="${ACCEPTED}" multiple>
<button class="button" name="do" value="upload-${name}" formenctype="multipart/form-data">${say('photos.upload')}</button>
<p role="status"></p></div>
${choice}`;
  return group(name, legend, content, {
    hint: say('photos.hint'),
    error: errors[name],
    kind: 'photo',
  });
}

/**
 * The picture at an address of another site; where it does not load, its text says so. Neither guests'
 * pages nor the panel's load one by plain HTTP.
 */
export function foreignPicture(say: Say, address: string): Content {
  if (address === '') return null;
  if (!/^https:/i.test(address)) return html`<p class="hint">${say('photos.noPicture')}</p>`;
  return html`<img class="foreign-picture" src="${address}" alt="${say('photos.noPicture')}" \
referrerpolicy="no-referrer" loading="lazy">`;
}

/** A photo on its own page: a tap sets the focal point, which the fields below hold, too. */
export function focusPicture(say: Say, path: string): Html {
  return html`<figure class="card focus" data-focus><div><img src="${path}" alt=""><span hidden></span></div>
<figcaption class="hint">${say('photos.focus')}</figcaption></figure>`;
}
