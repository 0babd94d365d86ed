import type { RecordType } from '../../../db/schema/record.ts';
import { isCollection, type Resource, records } from '../../../db/schema/registry.ts';
import type { NamedCollection } from '../../../db/sql/listed-records.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Content } from '../../http/html.ts';
import type { FormDraft } from '../forms/draft.ts';
import type { Place } from '../navigation.ts';

/** A record's page: where it is, and where it leads. */
export interface Editor {
  resource: Resource;
  record: RecordType;
  /** Path of the page; `:id` is the record, or `new`. */
  path: string;
  place: Place;
  /** The title of the page for a new one. */
  newTitle?: TextKey;
  /** The list of its records, where that is not the menu itself. */
  list?: {
    path: string;
    resource: NamedCollection;
    title: TextKey;
    /** The purpose of these records. */
    hint: TextKey;
  };
}

/** The pages of all kinds of records. */
export const EDITORS: readonly Editor[] = [
  {
    resource: 'items',
    record: records.items,
    path: '/admin/menu/items/:id',
    place: 'menu',
    newTitle: 'menu.newDish',
  },
  {
    resource: 'categories',
    record: records.categories,
    path: '/admin/menu/sections/:id',
    place: 'menu',
    newTitle: 'menu.newSection',
  },
  {
    resource: 'types',
    record: records.types,
    path: '/admin/menu/types/:id',
    place: 'menu',
    newTitle: 'lists.newType',
    list: {
      path: '/admin/menu/types',
      resource: 'types',
      title: 'lists.types',
      hint: 'lists.typesHint',
    },
  },
  {
    resource: 'wineries',
    record: records.wineries,
    path: '/admin/menu/wineries/:id',
    place: 'menu',
    newTitle: 'lists.newWinery',
    list: {
      path: '/admin/menu/wineries',
      resource: 'wineries',
      title: 'lists.wineries',
      hint: 'lists.wineriesHint',
    },
  },
  {
    resource: 'modifier_groups',
    record: records.modifier_groups,
    path: '/admin/menu/modifier-groups/:id',
    place: 'menu',
    newTitle: 'lists.newModifierGroup',
    list: {
      path: '/admin/menu/modifier-groups',
      resource: 'modifier_groups',
      title: 'lists.modifierGroups',
      hint: 'lists.modifierGroupsHint',
    },
  },
  {
    resource: 'photos',
    record: records.photos,
    path: '/admin/photos/:id',
    place: 'photos',
  },
  {
    resource: 'settings',
    record: records.settings,
    path: '/admin/restaurant',
    place: 'restaurant',
  },
  {
    resource: 'theme',
    record: records.theme,
    path: '/admin/appearance',
    place: 'appearance',
  },
];

/** The path of a record's page. @param planned the external id of one that a release makes */
export function editorPath(editor: Editor, id: number | null, planned?: string): string {
  const path = editor.path.replace(':id', id === null ? 'new' : String(id));
  return planned === undefined ? path : `${path}?planned=${encodeURIComponent(planned)}`;
}

/** The list to which a record's page leads back. */
export function listPath({ resource, path, list }: Editor, sectionId: unknown): string {
  if (list) return list.path;
  if (resource === 'photos') return '/admin/photos';
  if (!isCollection(resource)) return path;
  return sectionId ? `/admin/menu?section=${sectionId}` : '/admin/menu';
}

/** The page for a new record, of a section perhaps. */
export function newPath(editor: Editor, sectionId: unknown): string {
  const path = editorPath(editor, null);
  return sectionId ? `${path}?section=${sectionId}` : path;
}

/** A record as its page shows it. */
export interface EditorState {
  status?: string;
  headers?: Record<string, string>;
  /** Null for a new one. */
  id: number | null;
  title: string;
  draft: FormDraft;
  /** The values when the form was opened; null for a new record. */
  base: FormDraft | null;
  etag: string;
  notice?: Content;
  /** The external id of a record that the chosen release makes. */
  planned?: string;
  /** The path of the picture that the record is. */
  picture?: string;
  errors?: Record<string, string>;
  remarks?: Record<string, string>;
}
