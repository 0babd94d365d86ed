import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { exportTo } from '../../../db/exchange/export-menu.ts';
import { writeJson } from '../../../db/runtime/write-json.ts';
import { menuTag } from '../../../db/schema/bulk.ts';
import { type ExportTarget, reportSchema } from '../../../db/schema/exchange-report.ts';
import { timestamp } from '../../../db/schema/validation/date-fields.ts';
import { described, describedAs } from '../../../db/schema/validation/described-as.ts';
import { languageRule } from '../../../db/schema/validation/input-fields.ts';
import { rule } from '../../../db/schema/validation/rule.ts';
import { localeSchema } from '../../../db/schema/values/locale.ts';
import type { Answer } from '../../http/answer.ts';
import { successOf } from '../../http/envelope.ts';
import { unavailable } from '../../http/errors.ts';
import { taggedAnswer } from '../../http/representations.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { switchParameter, wordParameter } from '../frame/parameters.ts';
import type { Services } from '../frame/services.ts';

/** A rate of VAT in percent, with decimals perhaps. */
function percentParameter(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      describedAs({ type: 'number', minimum: 0, maximum: 100, description }),
      v.regex(/^\d{1,3}(\.\d{1,3})?$/, 'numeric'),
      v.transform(Number),
      v.maxValue(100, rule('max', { max: 100 })),
    ),
  );
}

/** The parameters of exports for other services. */
export const exchangeEntries = {
  locale: v.optional(
    wordParameter(
      localeSchema.options,
      'The language of services that have one; by default the restaurant’s own. Others are sent ' +
        'all languages without it, and this one with it.',
      languageRule,
    ),
  ),
  vat_food: percentParameter('VAT on food in percent, for services that ask for it.'),
  vat_drinks: percentParameter('VAT on drinks in percent, for services that ask for it.'),
  raw: switchParameter(
    '1: the document of a service alone, as it is sent there, without an envelope.',
  ),
};

/** The document of a service, with what it lacks. */
export const exchangedSchema = v.object({
  document: described(v.record(v.string(), v.unknown()), 'The menu in the format of the service.'),
  report: described(reportSchema, 'What the document lacks of the menu.'),
});

type Asked = v.InferOutput<v.ObjectSchema<typeof exchangeEntries, undefined>>;

/** A menu in the format of a service. */
export async function exchangeAnswer(
  target: ExportTarget,
  { locale, vat_food, vat_drinks, raw }: Asked,
  context: GuardedContext,
  { reportDb, originOf, now }: Services,
): Promise<Answer> {
  const at = new Date(now());
  const options = {
    ...{ at, locale: locale ?? null, origin: originOf(context.tenant) },
    ...{ vatFood: vat_food ?? null, vatDrinks: vat_drinks ?? null },
  };
  const { version, document, report } = await reportDb
    .moment((tx) => exportTo(tx, context.tenant.id, target, options))
    .catch(unavailable('could not read a menu'));
  const data = { document, report };
  const body = raw ? document : successOf(data, { generated_at: timestamp(at) });
  const asked = createHash('sha256').update(context.query).digest('hex').slice(0, 12);
  const etag = `${menuTag(version).slice(0, -1)}-${asked}"`;
  const identity = await writeJson(body);
  return taggedAnswer({ etag, identity }, context);
}
