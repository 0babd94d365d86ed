import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import type { Locale } from '../../schema/locale.ts';

/** The first settings of a new restaurant; the rest is set through the admin API. */
export interface NewTenant {
  slug: string;
  name: string;
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  timezone: string;
}

/**
 * Inserts a tenant with its settings and a neutral theme, and returns its id, or null when the slug
 * is taken. The caller builds its snapshots in the same transaction.
 */
export function createTenant(db: Db, tenant: NewTenant): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    with tenant as (
      insert into tenants (slug) values (${tenant.slug}) on conflict (slug) do nothing returning id
    ), settings as (
      insert into settings (tenant_id, name, default_locale, supported_locales, timezone)
      select id, ${tenant.name}, ${tenant.defaultLocale},
        ${sql.array(tenant.supportedLocales, 'text')}, ${tenant.timezone}
      from tenant
    ), theme as (
      insert into themes (tenant_id, primary_color, secondary_color, accent_color,
        background_color, text_color, font_family, font_url, border_radius, layout_variant,
        header_style, footer_text)
      select id, '#2F2A25', '#6B5E52', '#A63D2F', '#FFFDF8', '#221E1A', 'Georgia, serif', '',
        '8px', 'classic', 'centered', ''
      from tenant
    )
    select id from tenant
  `);
}
