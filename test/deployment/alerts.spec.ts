import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';

const RULES = path.resolve('deploy/prometheus/alerts.yml');

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: { summary: string };
}

/** Series in promtool's notation: `1+2x30` starts at 1 and grows by 2 in each of 30 minutes. */
type Series = Readonly<Record<string, string>>;

interface Case {
  fires: Series;
  /** The same metrics of a healthy service. */
  quiet: Series;
  /** Minutes after which it fires. */
  after: number;
  labels?: Readonly<Record<string, string>>;
}

const API = 'document_service_build_info{role="api",version="1.0.0",instance="a"}';
const WORKER = 'document_service_build_info{role="worker",version="1.0.0",instance="w"}';
const attempts = (outcome: string, error = '') =>
  `webhook_attempts_total{outcome="${outcome}",error="${error}",instance="w"}`;
const requests = (status: number) =>
  `http_request_duration_seconds_count{status="${String(status)}",route="/v1/documents",instance="a"}`;
const bucket = (le: string) =>
  `http_request_duration_seconds_bucket{le="${le}",route="/v1/documents",instance="a"}`;
const ended = (outcome: string) =>
  `jobs_ended_total{kind="document.export",outcome="${outcome}",instance="w"}`;

/** What triggers each alert. */
const CASES: Readonly<Record<string, Case>> = {
  DocumentServiceDown: { fires: { [WORKER]: '1x30' }, quiet: { [API]: '1x30' }, after: 3 },
  DocumentServiceWorkerDown: { fires: { [API]: '1x30' }, quiet: { [WORKER]: '1x30' }, after: 6 },
  DocumentServiceErrors: {
    fires: { [requests(200)]: '0+98x30', [requests(500)]: '0+2x30' },
    quiet: { [requests(200)]: '0+999x30', [requests(500)]: '0+1x30' },
    after: 10,
  },
  DocumentServiceSlow: {
    fires: { [bucket('2.5')]: '0+90x40', [bucket('5')]: '0+100x40', [bucket('+Inf')]: '0+100x40' },
    quiet: { [bucket('2.5')]: '0+100x40', [bucket('5')]: '0+100x40', [bucket('+Inf')]: '0+100x40' },
    after: 20,
    labels: { route: '/v1/documents' },
  },
  DocumentServiceRefusals: {
    fires: {
      'http_requests_rate_limited_total{instance="a"}': '0+30x40',
      [requests(200)]: '0+100x40',
    },
    quiet: {
      'http_requests_rate_limited_total{instance="a"}': '0+20x40',
      [requests(200)]: '0+100x40',
    },
    after: 20,
  },
  DocumentServiceDatabaseConnections: {
    fires: { 'database_pool_connections{state="waiting",instance="a"}': '1x30' },
    quiet: {
      'database_pool_connections{state="waiting",instance="a"}': '0x30',
      'database_pool_connections{state="idle",instance="a"}': '5x30',
    },
    after: 6,
    labels: { instance: 'a' },
  },
  DocumentServiceTransactionsWait: {
    fires: { 'database_transactions_waiting{instance="a"}': '6x30' },
    quiet: { 'database_transactions_waiting{instance="a"}': '5x30' },
    after: 6,
    labels: { instance: 'a' },
  },
  DocumentServiceBusy: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.3x30' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.1x30' },
    after: 11,
    labels: { instance: 'a' },
  },
  DocumentServiceMemory: {
    fires: { 'process_resident_memory_bytes{instance="a"}': '860000000x30' },
    quiet: { 'process_resident_memory_bytes{instance="a"}': '800000000x30' },
    after: 11,
    labels: { instance: 'a' },
  },
  DocumentServiceDeliveriesLate: {
    fires: { 'webhook_oldest_due_seconds{instance="w"}': '61x30' },
    quiet: { 'webhook_oldest_due_seconds{instance="w"}': '10x30' },
    after: 6,
  },
  DocumentServiceDeliveriesPile: {
    fires: { 'webhook_deliveries_pending{instance="w"}': '10001x90' },
    quiet: { 'webhook_deliveries_pending{instance="w"}': '9000x90' },
    after: 61,
  },
  DocumentServiceDeliveriesFail: {
    // One dead receiver and nothing else.
    fires: { [attempts('succeeded')]: '0x40', [attempts('retry', 'connection_refused')]: '0+1x40' },
    // One failing receiver among healthy ones, retried as planned.
    quiet: {
      [attempts('succeeded')]: '0+100x40',
      [attempts('retry', 'connection_refused')]: '0+5x40',
    },
    after: 20,
  },
  DocumentServiceReceiverDead: {
    fires: { 'webhook_oldest_pending_seconds{instance="w"}': '0+60x90' },
    // A receiver that recovered within half an hour.
    quiet: { 'webhook_oldest_pending_seconds{instance="w"}': '0+60x30 0x60' },
    after: 75,
  },
  DocumentServiceSecretsUnreadable: {
    fires: { [attempts('retry', 'secret_unreadable')]: '0 1 1 1 1' },
    quiet: {
      [attempts('retry', 'secret_unreadable')]: '0x10',
      [attempts('retry', 'timeout')]: '0+1x10',
    },
    after: 2,
  },
  DocumentServiceAttemptsSuperseded: {
    fires: { [attempts('superseded')]: '0 1 1 1 1' },
    quiet: { [attempts('succeeded')]: '0+1x10' },
    after: 2,
  },
  DocumentServiceIndexLate: {
    fires: { 'search_index_lag_seconds{instance="w"}': '121x30' },
    quiet: { 'search_index_lag_seconds{instance="w"}': '2x30' },
    after: 11,
  },
  DocumentServiceIndexSetAside: {
    fires: { 'search_documents_set_aside{instance="w"}': '1x90' },
    quiet: { 'search_documents_set_aside{instance="w"}': '0x90' },
    after: 61,
  },
  DocumentServiceJobsLate: {
    fires: { 'jobs_oldest_queued_seconds{kind="document.export",instance="w"}': '601x30' },
    quiet: { 'jobs_oldest_queued_seconds{kind="document.export",instance="w"}': '10x30' },
    after: 6,
    labels: { kind: 'document.export' },
  },
  DocumentServiceAnalysisLate: {
    fires: { 'jobs_oldest_queued_seconds{kind="document.analyze",instance="w"}': '121x30' },
    quiet: { 'jobs_oldest_queued_seconds{kind="document.export",instance="w"}': '500x30' },
    after: 6,
    labels: { kind: 'document.analyze' },
  },
  DocumentServiceJobsStuck: {
    fires: { 'jobs_oldest_running_seconds{kind="account.export",instance="w"}': '7201x30' },
    quiet: { 'jobs_oldest_running_seconds{kind="account.export",instance="w"}': '600x30' },
    after: 11,
    labels: { kind: 'account.export' },
  },
  DocumentServiceJobsFail: {
    fires: { [ended('failed')]: '0+2x60', [ended('succeeded')]: '0+1x60' },
    quiet: { [ended('failed')]: '0+1x60', [ended('succeeded')]: '0+2x60' },
    after: 30,
    labels: { kind: 'document.export' },
  },
  DocumentServiceVersionsDiffer: {
    fires: { [API]: '1x90', [WORKER.replace('1.0.0', '1.0.1')]: '1x90' },
    quiet: { [API]: '1x90', [WORKER]: '1x90' },
    after: 61,
  },
};

const rules = (
  parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

/** Returns a promtool test of one alert. An alert that must not fire has no expected alerts. */
function unitTest(rule: Rule, { after, labels = {}, ...series }: Case, kind: 'fires' | 'quiet') {
  const summary = rule.annotations.summary.replace(
    /\{\{ \$labels\.(\w+) \}\}/g,
    (_, name: string) => labels[name] ?? '',
  );
  return {
    interval: '1m',
    input_series: Object.entries(series[kind]).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: `${String(after)}m`,
        alertname: rule.alert,
        exp_alerts:
          kind === 'fires'
            ? [{ exp_labels: { ...rule.labels, ...labels }, exp_annotations: { summary } }]
            : [],
      },
    ],
  };
}

const promtoolIsInstalled = spawnSync('promtool', ['--version']).error === undefined;

describe('the alert rules', () => {
  it('the alert rules are each triggered by a test, and described in docs/operate/alerts.md', () => {
    expect(Object.keys(CASES).sort()).toEqual(rules.map(({ alert }) => alert).sort());
    const described = readFileSync('docs/operate/alerts.md', 'utf8');
    for (const { alert } of rules) expect(described).toContain(`| \`${alert}\``);
  });

  if (!promtoolIsInstalled) {
    it.skip('The alerts are not tested here: install promtool (the Debian package prometheus)', () =>
      undefined);
    return;
  }

  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'alerts-'))));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function promtool(tests: object[]): void {
    const file = path.join(folder, 'test.yml');
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
    try {
      execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(stdout + stderr, { cause: error });
    }
  }

  it.each(rules.map((rule): [string, Rule] => [rule.alert, rule]))(
    '%s fires when it should, and not in a healthy service',
    (alert, rule) => {
      const one = CASES[alert];
      if (!one) throw new Error(`Nothing provokes ${alert}.`);
      promtool([unitTest(rule, one, 'fires'), unitTest(rule, one, 'quiet')]);
    },
  );

  it('the alert rules fail a test that expects something that does not happen', () => {
    const [rule] = rules;
    const one = CASES[rule?.alert ?? ''];
    if (!rule || !one) throw new Error('There are no rules.');
    expect(() => {
      promtool([unitTest(rule, { ...one, fires: one.quiet }, 'fires')]);
    }).toThrow(/exp:/);
  });
});
