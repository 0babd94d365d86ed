import type { TableService } from './table-service.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Texts = Record<string, string>;
/** A dish of an export. */
export interface TableItem {
  category_id: number;
  name: Texts;
  description: Texts;
  price: number;
  price_on_request: boolean;
  price_unit: string | null;
  variants: { label: Texts; price: number }[];
  allergens: string[] | null;
  additives: string[];
  kcal: number | null;
  is_active: boolean;
  sold_out_until: string | null;
  visible_from: string | null;
  visible_until: string | null;
  external_id: string | null;
}

/** Lines as the text of a table. */
export const rows = (...lines: readonly string[]): string => lines.join('\n');

/** Sends tables to the restaurant of a test, and reads what became of them. */
export function sentTables(service: () => TableService) {
  let language = 'it';
  const exported = async () => (await service().admin.get('/export')).json.data;
  const send = async (table: string | Buffer, query: Record<string, string> = {}) => {
    const type = typeof table === 'string' ? 'text/csv' : XLSX;
    const search = new URLSearchParams(query).toString();
    return service().admin.call('PUT', `/import?${search}`, table, { 'Content-Type': type });
  };
  return {
    send,
    exported,
    /** Empties the menu, and sets the language in which dishes are read. */
    async empty(locale = 'it') {
      language = locale;
      await service().admin.call('PUT', '/settings', {
        supported_locales: ['it', 'en', 'de', 'ja'],
        default_locale: locale,
      });
      const none = { format: 'lavagna-menu/1', categories: [], items: [], wineries: [], types: [] };
      (await service().admin.call('PUT', '/import?delete_missing=all', none)).expect(200);
    },
    /** The dishes by name: section, price or sizes, and more facts where they are asked for. */
    async dishes<T extends object>(more: (item: TableItem) => T = () => ({}) as T) {
      const { items, categories } = await exported();
      const sections = new Map<number, { name: Texts }>(
        categories.map((one: { id: number; name: Texts }) => [one.id, one]),
      );
      return Object.fromEntries(
        items.map((item: TableItem) => {
          const sizes = item.variants.map(({ label, price }) => [label[language], price]);
          const cost = sizes.length > 0 ? Object.fromEntries(sizes) : item.price;
          const section = sections.get(item.category_id)?.name[language];
          return [item.name[language], { section, cost, ...more(item) }];
        }),
      );
    },
    async taken(table: string | Buffer, query: Record<string, string> = {}) {
      const answer = (await send(table, query)).expect(200);
      return answer.json;
    },
    async asked(table: string | Buffer, query: Record<string, string> = {}) {
      const { json } = (await send(table, query)).expect(422);
      return json;
    },
  };
}
