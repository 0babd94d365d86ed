import type { Locale } from '../../../../db/schema/locale.ts';
import { type PanelLanguage, panelLanguage } from '../../../../db/texts/catalogues.ts';
import { sayIn, type Values } from '../../../../db/texts/say.ts';
import type { Figures } from '../report-schemas.ts';
import { type LocaleFormat, localeFormat } from './locale-format.ts';

/** The values of a finding that its language writes in a way of its own. */
function written(figures: Figures, locale: PanelLanguage, format: LocaleFormat): Values {
  const say = sayIn(locale);
  switch (figures.kind) {
    case 'visitors':
    case 'rising_item':
    case 'falling_item':
      return { change: format.signed(figures.change) };
    case 'never_viewed':
    case 'missing_translations': {
      const { examples } = figures;
      const total = figures.kind === 'never_viewed' ? figures.count : figures.items;
      const list = format.list(examples.map(({ name }) => name));
      const names = say(total > examples.length ? 'findings.examples' : 'findings.all', { list });
      return {
        names,
        language: figures.kind === 'never_viewed' ? '' : format.language(figures.locale),
      };
    }
    case 'busiest_hour':
      return {
        from: say('findings.hour', { hour: figures.hour }),
        to: say('findings.hour', { hour: figures.hour + 1 }),
        share: format.percent(figures.share),
      };
    case 'busiest_weekday':
      return { day: format.weekday(figures.weekday) };
    case 'narrow_allergen':
      return {};
  }
}

/** A finding in plain words of the restaurant's own language. */
export function sayFinding(figures: Figures, own: Locale): string {
  const locale = panelLanguage(own);
  const values = { ...figures, ...written(figures, locale, localeFormat(locale)) };
  return sayIn(locale)(`findings.${figures.kind}`, values as unknown as Values);
}
