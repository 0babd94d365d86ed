import * as v from 'valibot';
import { sectionTreeSchema } from '../../db/schema/section.ts';
import { wholeSlice } from '../http/joined-body.ts';
import { pathId } from '../http/path-id.ts';
import { answerFragment } from './fragments.ts';
import { publicRead } from './public-read.ts';
import type { ApiRoute } from './services.ts';

/** `GET /categories`: top-level sections with items, types and children. */
export const categoriesRoute: ApiRoute = {
  kind: 'finished',
  body: 'categories',
  locale: () => null,
  ...publicRead('/categories', {
    id: 'listCategories',
    summary: 'Sections with their dishes, sub-categories and sub-sections',
    holds: 'The top-level sections, in order.',
    name: 'CategoriesAnswer',
    data: v.array(sectionTreeSchema),
    isCompressed: true,
  }),
};

/** `GET /categories/{id}`: one section, if it is active. */
export const categoryRoute: ApiRoute = {
  kind: 'read',
  locale: () => null,
  ...publicRead('/categories/:id', {
    id: 'getCategory',
    summary: 'One section',
    holds: 'The section.',
    name: 'CategoryAnswer',
    data: sectionTreeSchema,
  }),
  read: ({ snapshot, param }, { answers }) => {
    const id = pathId(param);
    const branch = snapshot.served().branches.get(id);
    return answerFragment(answers, snapshot, `categories/${id}`, branch && wholeSlice(branch));
  },
};
