import { type Db, sql } from '../../postgres/sql.ts';
import { records } from '../../schema/registry.ts';
import { tableOf, textsColumn } from './record-columns.ts';

/**
 * Writes down in which language a restaurant's plain texts of the version before are: the default
 * language is about to change, and they stay in the present one.
 */
export async function settlePlainTexts(db: Db, tenantId: number): Promise<void> {
  for (const record of Object.values(records)) {
    for (const [name, { kind }] of Object.entries(record.fields)) {
      if (kind !== 'localized') continue;
      const plain = sql.identifier([name]);
      await db.run(sql.nothing`
        update ${tableOf(record)} r
        set ${sql.identifier([textsColumn(name)])} =
          jsonb_build_object(s.default_locale, r.${plain}), ${plain} = ''
        from settings s
        where r.tenant_id = ${tenantId} and s.tenant_id = ${tenantId} and r.${plain} <> ''
      `);
    }
  }
}
