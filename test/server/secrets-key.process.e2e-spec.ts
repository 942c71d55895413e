import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { ApiClient } from '../support/api-client.js';
import { makeAccount } from '../support/accounts.js';
import { expectSuccess } from '../support/envelope.js';
import { openTestDatabase } from '../support/postgres.js';
import { spawnService, startService, type ServiceProcess } from '../support/service-process.js';

const WRONG_KEY =
  /^SECRETS_KEY is not the key that the secrets in this database are encrypted with\./m;
const newKey = () => randomBytes(32).toString('base64');

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.drop());

const settings = (key: string, role = 'api') => ({
  DATABASE_URL: database.url,
  SECRETS_KEY: key,
  PROCESS_ROLE: role,
});

async function failedStart(key: string, role: string): Promise<string> {
  const service = spawnService(settings(key, role));
  await once(service.child, 'close');
  expect(service.child.exitCode).toBe(1);
  expect(service.log().map(({ msg }) => msg)).not.toContain('listening');
  return service.output();
}

/** Starts the service, runs `work`, and ends the service. */
async function during(key: string, work: (service: ServiceProcess) => Promise<void>) {
  const service = await startService(settings(key));
  await work(service).finally(() => service.end());
}

/** Makes the service store a secret. */
async function registerWebhook({ origin }: ServiceProcess): Promise<void> {
  const { key } = await makeAccount(database.dataSource);
  const body = { url: 'https://example.com/', events: ['*'] };
  expectSuccess(await new ApiClient(origin, key).send('POST', '/v1/webhooks', { body }), 201);
}

describe("a SECRETS_KEY that differs from the first start's", () => {
  it("A SECRETS_KEY that differs from the first start's ends startup in every role with a sentence, and the right one still works", async () => {
    const key = newKey();
    await during(key, () => Promise.resolve());
    for (const role of ['api', 'worker', 'all']) {
      expect(await failedStart(newKey(), role)).toMatch(WRONG_KEY);
    }
    await during(key, () => Promise.resolve());
  });

  it("A SECRETS_KEY that differs from the first start's is accepted after the operator has declared the previous one lost", async () => {
    await during(newKey(), registerWebhook);
    const key = newKey();
    expect(await failedStart(key, 'api')).toMatch(WRONG_KEY);
    await database.dataSource.query('UPDATE secrets_key_check SET check_encrypted = NULL');
    await during(key, () => Promise.resolve());
    expect(await failedStart(newKey(), 'api')).toMatch(WRONG_KEY);
  });
});

describe('processes that start at once on an empty database', () => {
  it('processes that start at once on an empty database with the same SECRETS_KEY all start', async () => {
    const key = newKey();
    const services = await Promise.all(
      ['api', 'worker', 'api'].map((role) => startService(settings(key, role))),
    );
    expect(await Promise.all(services.map((service) => service.end()))).toEqual([0, 0, 0]);
  });

  it('processes that start at once on an empty database with different ones do not both start', async () => {
    const services = [newKey(), newKey()].map((key) => spawnService(settings(key)));
    await Promise.race(services.map(({ child }) => once(child, 'close')));
    const failed = services.filter(({ child }) => child.exitCode === 1);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.output()).toMatch(WRONG_KEY);
    expect((await Promise.all(services.map((service) => service.end()))).sort()).toEqual([0, 1]);
  });
});
