import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { parse, stringify } from 'yaml';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { register } from '../webhooks/delivery-tools.js';

interface Trigger {
  type: string;
  name: string;
  metricType: string;
  metadata: Record<string, string>;
}
interface ScaledObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    minReplicaCount: number;
    maxReplicaCount: number;
    cooldownPeriod: number;
    advanced: object;
    triggers: Trigger[];
  };
}

const FILE = 'deploy/kubernetes/keda/scaling.yaml';
const scaled = parse(readFileSync(FILE, 'utf8'), { strict: true }) as ScaledObject;
const { triggers, ...spec } = scaled.spec;
const queries = triggers.map(({ metadata }) => metadata['query'] ?? '');

describe(FILE, () => {
  it('The example for KEDA has the fields of KEDA that scale the workers between two and eight', () => {
    expect([scaled.apiVersion, scaled.kind]).toEqual(['keda.sh/v1alpha1', 'ScaledObject']);
    expect(spec).toEqual({
      scaleTargetRef: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: 'document-service-worker',
      },
      minReplicaCount: 2,
      maxReplicaCount: 8,
      cooldownPeriod: 300,
      advanced: {
        horizontalPodAutoscalerConfig: {
          behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
        },
      },
    });
  });

  it('The example for KEDA has a trigger for deliveries and one for jobs, each with strings as KEDA requires', () => {
    const common = {
      serverAddress: expect.stringMatching(/^http:\/\/[\w.-]+:\d+$/) as string,
      ignoreNullValues: 'false',
    };
    expect(triggers).toEqual([
      {
        type: 'prometheus',
        name: 'oldest-due-delivery',
        metricType: 'Value',
        metadata: { ...common, query: 'max(webhook_oldest_due_seconds)', threshold: '5' },
      },
      {
        type: 'prometheus',
        name: 'oldest-due-job',
        metricType: 'Value',
        metadata: { ...common, query: 'max(jobs_oldest_queued_seconds)', threshold: '60' },
      },
    ]);
  });

  if (spawnSync('promtool', ['--version']).error !== undefined) {
    it.skip('The example for KEDA is not tried with Prometheus here: install promtool (the Debian package prometheus)', () =>
      undefined);
  } else {
    it('The example for KEDA has queries that Prometheus evaluates to one number: the largest of all processes and kinds', () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'autoscaling-'));
      const file = path.join(folder, 'test.yml');
      const series = (name: string, values: string) => ({ series: name, values });
      const test = {
        interval: '1m',
        input_series: [
          series('webhook_oldest_due_seconds{instance="a"}', '7 7'),
          series('webhook_oldest_due_seconds{instance="w"}', '3 3'),
          series('jobs_oldest_queued_seconds{instance="a",kind="document.export"}', '61 61'),
          series('jobs_oldest_queued_seconds{instance="w",kind="account.export"}', '9 9'),
        ],
        promql_expr_test: queries.map((expr, index) => ({
          expr,
          eval_time: '1m',
          exp_samples: [{ labels: '{}', value: [7, 61][index] }],
        })),
      };
      writeFileSync(file, stringify({ rule_files: [], evaluation_interval: '1m', tests: [test] }));
      try {
        execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(stdout + stderr, { cause: error });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});

describe('the metrics of the triggers', () => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let api: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await WebhookReceiver.start();
    api = await startTestApp({ databaseUrl: database.url, stopClock: false });
  });
  afterAll(async () => {
    await api.close();
    await receiver.close();
    await database.drop();
  });

  /** Evaluates the queries with what one process exposes. They only use `max`. */
  async function values({ origin }: TestApp): Promise<number[]> {
    const text = await (await request(`${origin}/metrics`)).body.text();
    return queries.map((query) => {
      const [, name = ''] = /^max\((\w+)\)$/.exec(query) ?? [];
      const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))];
      return Math.max(...samples.map(([, value]) => Number(value)));
    });
  }

  it('the metrics of the triggers rise while no worker runs, also in the API, and fall when one does', async () => {
    const account = await api.account();
    await register(account.api, receiver.url);
    expect(await values(api)).toEqual([0, 0]);
    expectSuccess(await account.api.createDocument({ title: 'Waiting' }), 201);
    expectSuccess(await account.api.exportAccount(), 202);
    await api.dataSource.query(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '2 minutes'`,
    );
    await api.dataSource.query(`UPDATE jobs SET run_at = run_at - interval '2 minutes'`);
    await eventually(
      () => values(api),
      (ages) => triggers.every(({ metadata }, n) => (ages[n] ?? 0) > Number(metadata['threshold'])),
    );
    const worker = await startTestApp({
      databaseUrl: database.url,
      stopClock: false,
      environment: { PROCESS_ROLE: 'worker' },
    });
    try {
      for (const app of [api, worker]) {
        await eventually(
          () => values(app),
          (ages) => ages.every((age) => age === 0),
        );
      }
    } finally {
      await worker.close();
    }
  }, 120_000);

  it('the metrics of the triggers do not count a job that waits for its retry', async () => {
    const account = await api.account();
    expectSuccess(await account.api.exportAccount(), 202);
    await api.dataSource.query(
      `UPDATE jobs SET created_at = now() - interval '1 hour', run_at = now() + interval '5 minutes' WHERE status = 'queued'`,
    );
    const other = await startTestApp({ databaseUrl: database.url, stopClock: false });
    try {
      expect(await values(other)).toEqual([0, 0]);
    } finally {
      await other.close();
    }
  });
});
