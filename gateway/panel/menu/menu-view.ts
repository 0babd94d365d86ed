import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import type { AdminRecord } from '../../../db/sql/admin-records.ts';
import {
  countDishes,
  DISH_STATES,
  type DishSearch,
  type DishState,
  listDishes,
} from '../../../db/sql/dishes.ts';
import type { Desk } from '../desk.ts';
import { type PlacedSection, readSections } from '../order/section-tree.ts';

/** Which dishes a list shows, as its address says it. */
interface MenuQuery {
  section: number | null;
  text: string;
  state: DishState | null;
  /** Somebody searches, also when for everything. */
  isSearch: boolean;
}

export interface MenuPageView {
  query: MenuQuery;
  sections: readonly PlacedSection[];
  /** The section whose dishes are shown. */
  chosen: PlacedSection | undefined;
  /** Null when there is no choice. */
  dishes: readonly AdminRecord[] | null;
  /** How many dishes there are, also those that the list has no room for. */
  total: number;
}

/** Postgres takes not all of them. */
const CONTROLS = /\p{Cc}+/gu;

export function readMenuQuery({ request }: Desk): MenuQuery {
  const query = new URLSearchParams(request.context.query);
  const state = query.get('state');
  return {
    section: parseRecordId(query.get('section') ?? ''),
    text: (query.get('q') ?? '').replace(CONTROLS, ' ').trim().slice(0, 200),
    state: DISH_STATES.find((one) => one === state) ?? null,
    isSearch: query.has('q') || query.has('state'),
  };
}

/** Which dishes a query finds. */
export function dishSearch({ section, text, state }: MenuQuery): Omit<DishSearch, 'limit'> {
  return {
    ...(section !== null && { sectionId: section }),
    ...(text !== '' && { text }),
    ...(state !== null && { state }),
  };
}

/** The address of the list that a query names. */
export function menuPath({ section, text, state, isSearch }: MenuQuery): string {
  const query = new URLSearchParams();
  if (section !== null) query.set('section', String(section));
  if (isSearch) query.set('q', text);
  if (state !== null) query.set('state', state);
  const written = query.toString();
  return written === '' ? '/admin/menu' : `/admin/menu?${written}`;
}

/** Everything that the list shows, in two statements, or three when there are more dishes. */
export async function readMenuView(desk: Desk): Promise<MenuPageView> {
  const { db, request, constants } = desk;
  const query = readMenuQuery(desk);
  const sections = await readSections(desk);
  const chosen = sections.find(({ section }) => section.id === query.section);
  if (!chosen && !query.isSearch) return { query, sections, chosen, dishes: null, total: 0 };
  const search = dishSearch({ ...query, section: chosen?.section.id ?? null });
  const limit = constants.maxListedDishes;
  const dishes = await listDishes(db, request.tenantId, { ...search, limit });
  const isCut = dishes.length === limit;
  const total = isCut ? await countDishes(db, request.tenantId, search) : dishes.length;
  return { query, sections, chosen, dishes, total };
}
