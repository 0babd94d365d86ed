import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { before, describe, test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { freePort } from '../../../bench/processes/free-port.ts';
import { queues } from '../../../db/schema/queues.ts';
import { adminService } from '../../support/admin.ts';
import { createClient } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const folder = join(resolve(import.meta.dirname, '../../..'), 'gateway/monitoring');
/** The metrics and labels that Prometheus adds. */
const PROMETHEUS_METRICS = ['up'];
const PROMETHEUS_LABELS = ['job', 'instance'];

/** A metric that an expression asks for, with the labels that it wants of it. */
interface Use {
  metric: string;
  labels: string[];
}

function addPage(text: string): void {
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (name) {
      const forms = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      for (const form of forms) exposed.set(`${name}${form}`, new Set(PROMETHEUS_LABELS));
    }
    const [, metric = '', labels = ''] = /^(\w+)\{([^}]*)\}/.exec(line) ?? [];
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) exposed.get(metric)?.add(label);
  }
}

const service = await adminService({ alone: true });
const workerPort = await freePort();
await service.worker.stop();
service.worker = await startTestWorker(service.databaseUrl, { OPS_PORT: String(workerPort) });
// Some metrics have samples only when there is something to count.
await service.client.get('/menu');
await service.admin.get('/items');
/** The metrics of our processes' pages, with the labels of their samples. */
const exposed = new Map(PROMETHEUS_METRICS.map((name) => [name, new Set(PROMETHEUS_LABELS)]));
const ports = [service.gateway.opsPort, workerPort];
for (const port of ports) {
  const ops = createClient(port, 'localhost');
  // A worker tells of its queues once Postgres has told it.
  await until('samples of the queues are missing', async () => {
    const page = (await ops.send('/metrics')).expect(200);
    addPage(page.text);
    return port !== workerPort || page.text.includes('lavagna_queue_jobs{');
  });
}

test('every process says its version, which is the newest of the changelog', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  assert.equal(/^## (\S+)/m.exec(await readFile('CHANGELOG.md', 'utf8'))?.[1], version);
  for (const port of ports) {
    const ops = createClient(port, 'localhost');
    assert.equal((await ops.send('/healthz')).text, `ok ${version}\n`);
    (await ops.send('/metrics')).shows(`lavagna_build_info{version="${version}"} 1\n`);
  }
});

/** Reads an expression as Prometheus does; throws where Prometheus would refuse it. */
function usesOf(expression: string): Use[] {
  // Grafana puts a duration in their place.
  const promql = expression.replaceAll('$__rate_interval', '5m');
  const uses: Use[] = [];
  const textOf = ({ from, to }: { from: number; to: number }) => promql.slice(from, to);
  parser.parse(promql).iterate({
    enter: (node) => {
      assert.ok(!node.type.isError, `${promql}: not understood at ${node.from}`);
      if (node.name === 'VectorSelector') {
        const metric = node.node.getChild('Identifier');
        assert.ok(metric, `${promql}: a selector without a metric`);
        uses.push({ metric: textOf(metric), labels: [] });
      }
      const isMatcher = node.matchContext(['UnquotedLabelMatcher']);
      if (node.name === 'LabelName' && isMatcher) uses.at(-1)?.labels.push(textOf(node));
    },
  });
  return uses;
}

/** The labels by which an expression groups what it adds up, but for those that it makes itself. */
function groupingOf(expression: string): string[] {
  const groups = [...expression.matchAll(/\bby \(([^)]*)\)/g)];
  const made = [...expression.matchAll(/"(\w+)", "\$1", "(\w+)"/g)];
  const origins = new Map(made.map(([, label = '', origin = '']) => [label, origin]));
  const labels = groups.flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  return labels.map((label) => origins.get(label) ?? label);
}

function checkExpression(expression: string): void {
  const uses = usesOf(expression);
  assert.ok(uses.length > 0, expression);
  const grouping = groupingOf(expression);
  for (const { metric, labels } of uses) {
    const known = exposed.get(metric);
    assert.ok(known, `${expression}: no process has ${metric}`);
    for (const label of [...labels, ...grouping]) {
      assert.ok(known.has(label), `${expression}: ${metric} has no label ${label}`);
    }
  }
}

interface Panel {
  id: number;
  title: string;
  type: string;
  targets?: { expr: string; legendFormat: string }[];
}

describe('the dashboard', () => {
  let panels: Panel[];
  before(async () => {
    const dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'));
    assert.equal(dashboard.templating.list[0].type, 'datasource');
    panels = dashboard.panels;
  });

  test('asks only for what our processes tell', () => {
    for (const { targets = [] } of panels) for (const { expr } of targets) checkExpression(expr);
  });

  test('has panels that show something, each with an id of its own', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const shown = panels.filter(({ type }) => type !== 'row');
    assert.ok(shown.every(({ title, targets }) => title !== '' && targets && targets.length > 0));
  });

  test('shows every metric of our own, except those that say nothing alone', () => {
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const shown = new Set(expressions.flatMap(usesOf).map(({ metric }) => metric));
    const own = [...exposed.keys()].filter((metric) => metric.startsWith('lavagna_'));
    const parts = /_sum$|_count$|^lavagna_limit_statements_total$|^lavagna_limit_evictions_total$/;
    const isHidden = (metric: string) => parts.test(metric) || metric === 'lavagna_snapshots';
    const missing = own.filter((metric) => !shown.has(metric) && !isHidden(metric));
    assert.deepEqual(missing, []);
  });
});

describe('the alert rules', () => {
  interface Rule {
    alert: string;
    expr: string;
    for?: string;
    labels: { severity: string };
    annotations: { summary: string };
  }
  let rules: Rule[];
  before(async () => {
    const { groups } = parse(await readFile(join(folder, 'alerts.yaml'), 'utf8'));
    rules = groups.flatMap((group: { rules: Rule[] }) => group.rules);
  });

  test('ask only for what our processes tell', () => {
    for (const { expr } of rules) checkExpression(expr);
  });

  test('have names of their own, a severity and a sentence for the operator', () => {
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { alert, labels, annotations, for: duration } of rules) {
      assert.match(alert, /^Lavagna[A-Z]\w+$/);
      assert.match(labels.severity, /^(warning|critical)$/, alert);
      assert.ok(annotations.summary.length > 20, alert);
      if (duration !== undefined) assert.match(duration, /^\d+[smh]$/, alert);
    }
  });

  test('name queues that there are', () => {
    const named = rules.flatMap(({ expr }) => [...expr.matchAll(/queue=~"([^"]*)"/g)]);
    const names = named.flatMap(([, list = '']) => list.split('|'));
    assert.ok(names.length > 0);
    const known: string[] = Object.values(queues);
    for (const name of names) assert.ok(known.includes(name), name);
  });
});
