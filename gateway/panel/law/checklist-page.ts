import { type Checked, remindersOf } from '../../../db/law/checklist.ts';
import { lawsOf, RULES_AS_OF } from '../../../db/law/laws.ts';
import { groupBy } from '../../../db/runtime/group-by.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { readChecklist } from '../../routes/checklist.ts';
import type { Desk } from '../desk.ts';
import { notice } from '../pages/fields.ts';
import { dateIn } from '../pages/moment.ts';
import { titledPage } from '../pages/page.ts';
import { messageNotice } from '../writes/message.ts';
import { CHECKLIST_PATH, fieldPath, fillableField } from './read-checklist.ts';

/** The most records that a rule names on the page; the page that fills them has all. */
const MOST_NAMED = 50;

function lawLine(desk: Desk, law: string, source: string, since?: string): Html {
  const { say } = desk;
  const from =
    since !== undefined && ` · ${say('law.since', { date: dateIn(desk.request, since) })}`;
  return html`<p class="hint law-line"><span lang="">${law}</span>${from} · \
<a href="${source}" target="_blank" rel="noopener">${say('law.source')}</a></p>`;
}

/** Rules that ask the same of the same records, as those of a country and the Union: for one card. */
function joinAlike(rules: readonly Checked[]): (readonly [Checked, ...Checked[]])[] {
  const groups = groupBy(rules, ({ rule, missing }) => JSON.stringify([rule.title, missing]));
  return [...groups.values()] as [Checked, ...Checked[]][];
}

const lawLines = (desk: Desk, rules: readonly Checked[]): Html[] =>
  rules.map(({ rule }) => lawLine(desk, rule.law, rule.source, rule.since));

function openRule(desk: Desk, rules: readonly [Checked, ...Checked[]]): Html {
  const { say } = desk;
  const [one] = rules;
  const { rule, missing } = one;
  const records = missing.slice(0, MOST_NAMED).map((each) => {
    return html`<li><a href="${fieldPath({ ...each })}" dir="auto">${each.name}</a></li>`;
  });
  const count = say('law.missing', { n: missing.length });
  const fill =
    fillableField(one) !== undefined &&
    html`<a class="button" href="${CHECKLIST_PATH}/fill?rule=${rule.rule}">${say('law.fill')}</a>`;
  return html`<section class="card law-open"><h2>${say(`law.titles.${rule.title}`)}</h2>
${lawLines(desk, rules)}
<details class="law-missing"><summary>${count}</summary><ul>${records}</ul></details>
${fill && html`<p class="row">${fill}</p>`}</section>`;
}

function ruleList(desk: Desk, title: string, rules: readonly Checked[]): Content {
  const { say } = desk;
  if (rules.length === 0) return null;
  const entries = joinAlike(rules).map((own) => {
    return html`<li><strong>${say(`law.titles.${own[0].rule.title}`)}</strong>${lawLines(desk, own)}</li>`;
  });
  return html`<section class="card"><h2>${title}</h2><ul class="law-list">${entries}</ul></section>`;
}

function reminderList(desk: Desk, menu: StoredMenu): Content {
  const { say } = desk;
  const reminders = remindersOf(menu);
  if (reminders.length === 0) return null;
  const entries = reminders.map(({ text, law, source }) => {
    return html`<li>${say(`law.reminders.${text}`)}${lawLine(desk, law, source)}</li>`;
  });
  return html`<section class="card"><h2>${say('law.onlyYou')}</h2><ul class="law-list">${entries}</ul></section>`;
}

function recordCard({ request: { say } }: Desk): Html {
  return html`<section class="card"><h2>${say('law.record')}</h2><p class="hint">${say('law.recordHint')}</p>
<p class="row"><a class="button" href="${CHECKLIST_PATH}/record">${say('law.printRecord')}</a>
<a class="button" href="${CHECKLIST_PATH}/record.csv" download>${say('law.csvRecord')}</a></p></section>`;
}

/** The reason why there are no rules. */
function whyNone({ request: { say } }: Desk, { settings }: StoredMenu): Content {
  if (settings.country === null) {
    const link = fieldPath({ resource: 'settings', field: 'country' });
    return notice(
      'good',
      say('law.noCountry'),
      html`<p><a href="${link}">${say('law.chooseCountry')}</a></p>`,
    );
  }
  return lawsOf(settings).length === 0 && html`<p class="hint">${say('law.noRules')}</p>`;
}

/** `GET /admin/checklist`: what the law of the restaurant's country asks of its menu. */
export async function showChecklist(desk: Desk): Promise<Answer> {
  const { request, say } = desk;
  const { menu, checked } = await readChecklist(desk, desk.request.language);
  const open = checked.filter(({ missing }) => missing.length > 0);
  const met = checked.filter(({ applies, missing }) => applies && missing.length === 0);
  const date = dateIn(request, RULES_AS_OF);
  const content = html`${whyNone(desk, menu)}
${joinAlike(open).map((rules) => openRule(desk, rules))}
${ruleList(desk, say('law.metTitle'), met)}
${reminderList(desk, menu)}
${recordCard(desk)}
${ruleList(
  desk,
  say('law.notHere'),
  checked.filter(({ applies }) => !applies),
)}`;
  return titledPage(desk, {
    ...{ title: say('law.title'), intro: say('law.notAdvice', { date }), place: 'checklist' },
    ...{ state: { notice: await messageNotice(desk) }, content },
  });
}
