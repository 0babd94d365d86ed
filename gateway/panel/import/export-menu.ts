import { exportMenu } from '../../../db/snapshot/export-menu.ts';
import { localTime } from '../../analytics/local-time.ts';
import { type Answer, createAnswer, JSON_TYPE } from '../../http/answer.ts';
import { dishCsv } from '../../routes/whole-menu/dish-csv.ts';
import type { Desk } from '../desk.ts';

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** `GET /admin/import/export`: the menu as a document, or with `?format=csv` its dishes as a table. */
export async function sendExport({ request, session, reportDb, now }: Desk): Promise<Answer> {
  const { context, tenantId, language } = request;
  const { document } = await reportDb.moment((tx) => exportMenu(tx, tenantId));
  const isCsv = new URLSearchParams(context.query).get('format') === 'csv';
  const text = isCsv
    ? dishCsv(document, language === 'en' ? ',' : ';')
    : JSON.stringify(document, null, 2);
  const { day } = localTime(session.timezone, now());
  const name = `${context.front.tenant.slug}-${day}.${isCsv ? 'csv' : 'json'}`;
  const headers = {
    'Content-Type': isCsv ? CSV_TYPE : JSON_TYPE,
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  return createAnswer('200 OK', 'no-store', headers, Buffer.from(text));
}
