import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { isDay } from '../../db/runtime/day.ts';
import { describedAs } from '../../db/schema/validation/described-as.ts';
import { WHOLE } from '../../db/schema/validation/input-fields.ts';
import { rule } from '../../db/schema/validation/rule.ts';

const FORMAT = rule('dateFormat', 'YYYY-MM-DD');

function day(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d{2}-\d{2}$/, FORMAT),
      v.check(isDay, FORMAT),
      describedAs({ type: 'string', format: 'date', description }),
    ),
  );
}

const { defaultReportLimit, maxReportLimit, defaultReportDays, maxReportDays } = constants;
const TO = `Last day of the period, in the restaurant’s time zone; today by default. A period has at most ${maxReportDays} days.`;
const FROM = `First day of the period; by default the one that makes it ${defaultReportDays} days long.`;

const LIMIT =
  'Longest list of dishes, sections or allergens, and the most findings of the insights. It bounds ' +
  'neither the days, hours and languages of the overview nor the examples of a finding.';

/** The parameters of the reports (DESIGN, "report parameters"). */
export const reportQuerySchema = v.object({
  from: day(FROM),
  to: day(TO),
  limit: v.pipe(
    v.optional(v.string(), String(defaultReportLimit)),
    v.regex(WHOLE, 'integer'),
    describedAs({
      type: 'integer',
      minimum: 1,
      maximum: maxReportLimit,
      default: defaultReportLimit,
      description: LIMIT,
    }),
    v.transform(Number),
    v.minValue(1, rule('min', 1)),
    v.maxValue(maxReportLimit, rule('max', maxReportLimit)),
  ),
});
