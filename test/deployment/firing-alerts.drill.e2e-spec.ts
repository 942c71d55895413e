import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { describeWith } from '../support/describe-with.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

const prometheusIsInstalled = spawnSync('prometheus', ['--version']).error === undefined;
/** Time for failing deliveries, scrapes and evaluations on a busy machine. */
const WITHIN_MS = 120_000;

interface Alert {
  state: 'pending' | 'firing';
  labels: { alertname: string };
}

describeWith(
  'the program prometheus',
  prometheusIsInstalled,
  'a real Prometheus with the alert rules',
  () => {
    let database: Awaited<ReturnType<typeof openTestDatabase>>;
    let service: ServiceProcess;
    let api: ApiClient;
    let folder: string;
    let prometheus: ChildProcess;
    let prometheusUrl: string;

    beforeAll(async () => {
      database = await openTestDatabase();
      const { key } = await makeAccount(database.dataSource);
      service = await startService({
        DATABASE_URL: database.url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        PROCESS_ROLE: 'all',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_RETRY_SCHEDULE: '0,1,1,3600',
      });
      api = new ApiClient(service.origin, key);
      folder = mkdtempSync(path.join(tmpdir(), 'prometheus-'));
      // The real rules without the wait before an alert fires.
      const rules = readFileSync('deploy/prometheus/alerts.yml', 'utf8');
      writeFileSync(path.join(folder, 'alerts.yml'), rules.replace(/^( +for:) \w+$/gm, '$1 1s'));
      const configuration = {
        global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
        rule_files: ['alerts.yml'],
        scrape_configs: [
          {
            job_name: 'document-service',
            static_configs: [{ targets: [new URL(service.origin).host] }],
          },
        ],
      };
      // JSON is YAML.
      writeFileSync(path.join(folder, 'prometheus.yml'), JSON.stringify(configuration));
      const port = String(await freePort());
      prometheusUrl = `http://127.0.0.1:${port}`;
      prometheus = spawn(
        'prometheus',
        [
          `--config.file=${path.join(folder, 'prometheus.yml')}`,
          `--storage.tsdb.path=${path.join(folder, 'data')}`,
          `--web.listen-address=127.0.0.1:${port}`,
          '--log.level=error',
        ],
        { stdio: 'ignore' },
      );
    }, 120_000);
    afterAll(async () => {
      if (prometheus.exitCode === null && prometheus.kill()) await once(prometheus, 'exit');
      await service.end('SIGKILL');
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function alerts(): Promise<string[]> {
      const response = await request(`${prometheusUrl}/api/v1/alerts`).catch(() => undefined);
      if (response?.statusCode !== 200) return [];
      const { data } = (await response.body.json()) as { data: { alerts: Alert[] } };
      return data.alerts
        .filter(({ state }) => state === 'firing')
        .map((one) => one.labels.alertname);
    }

    const untilFires = (name: string) =>
      eventually(alerts, (firing) => firing.includes(name), WITHIN_MS);

    /** Registers a webhook without a running receiver and returns its id. */
    async function registerDead(): Promise<string> {
      const url = `http://127.0.0.1:${String(await freePort())}/`;
      const { body } = await api.registerWebhook({ url, events: ['document.created'] });
      return (body.data as { id: string }).id;
    }

    async function createDocuments(count: number): Promise<void> {
      for (let made = 0; made < count; made += 1) {
        expectSuccess(await api.createDocument({ title: String(made) }), 201);
      }
    }

    it('The alerting is quiet while nothing is wrong', async () => {
      const scraped = async () => {
        const query = encodeURIComponent('webhook_oldest_pending_seconds');
        const response = await request(`${prometheusUrl}/api/v1/query?query=${query}`).catch(
          () => undefined,
        );
        if (response?.statusCode !== 200) return 0;
        const { data } = (await response.body.json()) as { data: { result: unknown[] } };
        return data.result.length;
      };
      await eventually(scraped, (series) => series > 0, WITHIN_MS);
      expect((await alerts()).filter((name) => /Deliver|Receiver|Secrets/.test(name))).toEqual([]);
    }, 150_000);

    it('The alerting reports a dead receiver by the share of failed attempts, and by age after an hour', async () => {
      await registerDead();
      await createDocuments(40);
      await untilFires('DocumentServiceDeliveriesFail');
      expect(await alerts()).not.toContain('DocumentServiceReceiverDead');
      await database.dataSource.query(
        `UPDATE webhook_deliveries SET created_at = created_at - interval '2 hours' WHERE status = 'pending'`,
      );
      await untilFires('DocumentServiceReceiverDead');
    }, 300_000);

    it('The alerting reports secrets that cannot be decrypted, which the log names once a minute as errors', async () => {
      const id = await registerDead();
      await database.dataSource.query(
        `UPDATE webhooks SET secret_encrypted = set_byte(secret_encrypted, length(secret_encrypted) - 1,
         (get_byte(secret_encrypted, length(secret_encrypted) - 1) + 1) % 256) WHERE id = $1`,
        [decodeId('webhook', id)],
      );
      await createDocuments(5);
      await untilFires('DocumentServiceSecretsUnreadable');
      const attempts = () =>
        service.log().filter(({ errorClass }) => errorClass === 'secret_unreadable');
      await eventually(attempts, ({ length }) => length >= 5, WITHIN_MS);
      const errors = service
        .log()
        .filter(({ level, webhookId }) => level === 'error' && webhookId === id);
      expect(errors.length).toBeGreaterThanOrEqual(1);
      expect(errors.length).toBeLessThan(attempts().length);
      expect(errors[0]?.['msg']).toContain('cannot be decrypted');
    }, 300_000);
  },
);
