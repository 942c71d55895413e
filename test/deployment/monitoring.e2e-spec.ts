import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { request } from 'undici';
import { SERVICE_VERSION } from '../../src/platform/config/project.js';
import { Metrics } from '../../src/platform/operation/metrics.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
/** The labels of each series that a process with all roles exposes. */
let labels: Map<string, string[]>;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
  const metrics = app.app.get(Metrics).registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[];
  labels = new Map(
    metrics.flatMap(({ name, type, labelNames }) =>
      type === 'histogram'
        ? [
            [`${name}_bucket`, [...labelNames, 'le']] as const,
            [`${name}_count`, labelNames] as const,
            [`${name}_sum`, labelNames] as const,
          ]
        : [[name, labelNames] as const],
    ),
  );
});
afterAll(() => app.close());

/** Prometheus adds these to every series. */
const OF_SCRAPES = ['instance', 'job'];

interface Problem {
  expression: string;
  problem: string;
}

/** Returns the problems of an expression: invalid PromQL, or a metric or label that nobody exposes. */
function problemsOf(expression: string): Problem[] {
  const query = expression.replaceAll('$__rate_interval', '5m');
  const problems: string[] = [];
  const metrics: string[] = [];
  const named: string[] = [];
  parser.parse(query).iterate({
    enter: ({ name, from, to, type }) => {
      const text = query.slice(from, to);
      if (type.isError) problems.push(`is no PromQL at ${query.slice(from, from + 20)}`);
      if (name === 'Identifier') metrics.push(text);
      if (name === 'LabelName') named.push(text);
    },
  });
  if (metrics.length === 0) problems.push('names no metric');
  const unknown = metrics.filter((metric) => !labels.has(metric));
  problems.push(...unknown.map((metric) => `has an unknown metric: ${metric}`));
  const known = [...OF_SCRAPES, ...metrics.flatMap((metric) => labels.get(metric) ?? [])];
  const strange = named.filter((label) => !known.includes(label));
  problems.push(...strange.map((label) => `has an unknown label: ${label}`));
  return problems.map((problem) => ({ expression, problem }));
}

/** Returns the series that an expression uses. */
function metricsIn(expression: string): string[] {
  const query = expression.replaceAll('$__rate_interval', '5m');
  const metrics: string[] = [];
  parser.parse(query).iterate({
    enter: ({ name, from, to }) => {
      if (name === 'Identifier') metrics.push(query.slice(from, to));
    },
  });
  return metrics;
}

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}
interface Dashboard {
  panels: { id: number; title: string; targets?: { expr: string; legendFormat: string }[] }[];
}
const rules = (
  parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as {
    groups: { rules: Rule[] }[];
  }
).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8')) as Dashboard;

const { spec } = parse(readFileSync('deploy/kubernetes/keda/scaling.yaml', 'utf8')) as {
  spec: { triggers: { metadata: { query: string } }[] };
};

it('the triggers of KEDA use metrics and labels that the service has', () => {
  const queries = spec.triggers.map(({ metadata }) => metadata.query);
  expect(queries).toHaveLength(2);
  expect(queries.flatMap(problemsOf)).toEqual([]);
});

describe('the alert rules', () => {
  it('the alert rules use metrics and labels that the service has', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.flatMap(({ expr }) => problemsOf(expr))).toEqual([]);
  });

  it('the alert rules have unique names, a severity and a summary', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(['page', 'ticket']).toContain(rule.labels.severity);
      expect(rule.annotations.summary).toMatch(/[.?]$/);
    }
  });
});

describe('the dashboard', () => {
  it('the dashboard shows metrics and labels that the service has', () => {
    const targets = panels.flatMap((panel) => panel.targets ?? []);
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.flatMap(({ expr }) => problemsOf(expr))).toEqual([]);
  });

  it('the dashboard has a unique title and number for each panel', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.every(({ title }) => title !== '')).toBe(true);
  });
});

describe('an expression', () => {
  it.each([
    ['sum(rate(http_requests[5m])', 'is no PromQL'],
    ['sum(http_requests_total)', 'unknown metric'],
    ['sum by (account) (http_request_duration_seconds_count)', 'unknown label'],
  ])('%s is rejected', (expression, problem) => {
    expect(JSON.stringify(problemsOf(expression))).toContain(problem);
  });
});

describe('the metrics', () => {
  const read = async () => (await request(`${app.origin}/metrics`)).body.text();

  it('the metrics show what runs: jobs by kind, and threads', async () => {
    const text = await read();
    expect(text).toContain(
      `document_service_build_info{version="${SERVICE_VERSION}",node="${process.version}",role="all"} 1`,
    );
    for (const line of [
      'jobs_unfinished{kind="document.export",status="queued"} 0',
      'jobs_oldest_queued_seconds{kind="account.import"} 0',
      'thread_tasks{state="running"} 0',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  it('the metrics include every series that alerts and panels use, in a format that Prometheus reads', async () => {
    const exposed = new Set(
      [...(await read()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
      ),
    );
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap((panel) => panel.targets ?? []).map(({ expr }) => expr),
    ];
    const named = expressions.flatMap((expr) => metricsIn(expr));
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !exposed.has(name))).toEqual([]);
  });

  it('the metrics name no account, key or document', () => {
    const names = [...labels.values()].flat();
    expect(names.filter((name) => /account|tenant|key|document|webhook/.test(name))).toEqual([]);
  });

  it.each(['/METRICS', '/Metrics', '/metrics/', '//metrics'])(
    'the metrics are not at %s',
    async (path) => {
      const response = await request(app.origin + path);
      await response.body.dump();
      expect(response.statusCode).toBe(404);
    },
  );
});
