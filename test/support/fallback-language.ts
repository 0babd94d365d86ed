import type { AdminService } from './admin.ts';

/** Operations that give every name of the menu a text in a language. */
export async function nameOperations({ admin }: AdminService, locale: string) {
  const { data } = (await admin.get('/export')).json;
  return ['categories', 'types', 'modifier_groups', 'items'].flatMap((resource) =>
    data[resource].map(({ id, name }: { id: number; name: Record<string, string> }) => ({
      ...{ resource, action: 'update', id },
      data: { name: { ...name, [locale]: Object.values(name)[0] } },
    })),
  );
}

/** Gives a restaurant another fallback language, and every name a text in it. */
export async function fallBackTo(service: AdminService, locale: string, more: object = {}) {
  const data = { fallback_locale: locale, ...more };
  const settings = { resource: 'settings', action: 'update', data };
  const operations = [...(await nameOperations(service, locale)), settings];
  (await service.admin.call('POST', '/bulk', { operations })).expect(200);
}
