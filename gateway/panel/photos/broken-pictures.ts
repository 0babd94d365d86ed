import type { Resource } from '../../../db/schema/values/resource.ts';
import { type BrokenPicture, findBrokenPictures } from '../../../db/sql/foreign-pictures.ts';
import type { Say } from '../../../db/texts/say.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type FormDraft, one } from '../forms/draft.ts';
import { momentText } from '../pages/moment.ts';
import { mayOpen } from '../permission.ts';
import { nameIn } from '../texts/choose.ts';

/** Addresses without a picture that the panel lists. */
const MAX_LISTED_PICTURES = 20;

const FIELDS: Partial<Record<Resource, readonly string[]>> = {
  items: ['photo_url'],
  settings: ['logo_url', 'cover_image_url'],
};
const SETTINGS = 0;
const SETTINGS_PATH = '/admin/restaurant';

/** Why an address shows no picture. */
function sayProblem(say: Say, { problem, status }: BrokenPicture): string {
  if (problem === 'status') return say('photos.refused', { status: String(status) });
  return say(problem === 'page' ? 'photos.noPictureThere' : 'photos.silent');
}

/** Remarks for a form's addresses at which a worker has found no picture, by their fields. */
export async function pictureRemarks(
  desk: Desk,
  resource: Resource,
  id: number | null,
  draft: FormDraft,
): Promise<Record<string, string>> {
  const fields = (FIELDS[resource] ?? []).filter((name) => one(draft, name) !== '');
  const dishId = resource === 'items' ? id : SETTINGS;
  if (fields.length === 0 || dishId === null) return {};
  const { db, say, tenantId } = desk;
  const found = await findBrokenPictures(db, tenantId, MAX_LISTED_PICTURES, dishId);
  const shown = found.filter(
    ({ field, url }) => fields.includes(field) && one(draft, field) === url,
  );
  const remarks = shown.map((one): [string, string] => {
    const when = say('photos.looked', { when: momentText(desk, one.looked_at) });
    return [one.field, `${sayProblem(say, one)} ${when}`];
  });
  return Object.fromEntries(remarks);
}

/** The pictures of other sites that do not load, with links to where they are named. */
export async function brokenPictures({ db, request, session, say, tenantId }: Desk) {
  const { language } = request;
  const all = await findBrokenPictures(db, tenantId, MAX_LISTED_PICTURES);
  const maySet = mayOpen(session.role, SETTINGS_PATH);
  const found = all.filter(({ dish_id }) => dish_id !== SETTINGS || maySet);
  if (found.length === 0) return null;
  const items = found.map((one) => {
    const isDish = one.dish_id !== SETTINGS;
    const path = isDish ? `/admin/menu/items/${one.dish_id}` : SETTINGS_PATH;
    const name = isDish
      ? nameIn(one.name, language)
      : say(
          one.field === 'logo_url' ? 'fields.settings.logo_url' : 'fields.settings.cover_image_url',
        );
    return html`<li><a href="${path}">${name}</a> ${sayProblem(say, one)}</li>`;
  });
  return html`<section class="card part"><h2>${say('photos.brokenTitle')}</h2><ul class="tasks">${items}</ul></section>`;
}
