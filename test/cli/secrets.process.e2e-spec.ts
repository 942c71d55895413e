import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretColumns } from '../../src/platform/secrets/stored-secrets.js';
import { ApiClient } from '../support/api-client.js';
import { makeAccount } from '../support/accounts.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { spawnService, startService } from '../support/service-process.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

/** Each test starts many processes. */
jest.setTimeout(300_000);

const newKey = () => randomBytes(32).toString('base64');

interface Rotated {
  keyId: string;
  reencrypted: number;
  left: number;
  unreadable: number;
}

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let owner: { key: string };
beforeEach(async () => {
  database = await openTestDatabase();
  owner = await makeAccount(database.dataSource);
});
afterEach(() => database.drop());

const settings = (SECRETS_KEY: string, ...previous: string[]) => ({
  DATABASE_URL: database.url,
  SECRETS_KEY,
  SECRETS_KEY_PREVIOUS: previous.join(','),
});
const rotate = async (...keys: [string, ...string[]]) =>
  printed(await runCli(settings(...keys), 'secrets', 'rotate', '--json')) as Rotated;

const BODY = { url: 'https://example.com/', events: ['*'] };
/** Makes the service store secrets of each kind: current and previous secrets of a webhook, and outcomes of requests. */
async function keepSecrets(origin: string): Promise<string> {
  const api = new ApiClient(origin, owner.key);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const made = await api.send('POST', '/v1/webhooks', { body: BODY, headers });
  const { id } = expectSuccess(made, 201) as { id: string };
  expectSuccess(await api.send('POST', `/v1/webhooks/${id}/rotate-secret`, { body: {} }), 200);
  return id;
}

async function failedStart(...keys: [string, ...string[]]): Promise<string> {
  const service = spawnService(settings(...keys));
  await once(service.child, 'close');
  expect(service.child.exitCode).toBe(1);
  return service.output();
}

describe('a new SECRETS_KEY', () => {
  it('a new SECRETS_KEY is adopted by one replica after another, and the former one is no longer needed after secrets rotate', async () => {
    const [before, after] = [newKey(), newKey()];
    // First every process gets both keys; then the new key writes. Each process reads what the other wrote.
    const old = await startService(settings(before, after));
    const renewed = await startService(settings(after, before));
    try {
      await keepSecrets(old.origin);
      await keepSecrets(renewed.origin);
      // Two secrets and an outcome for each webhook. Those of the second webhook already use the new key.
      expect(await rotate(after, before)).toMatchObject({ reencrypted: 3, left: 0, unreadable: 0 });
      const id = await keepSecrets(old.origin);
      expect(await rotate(after, before)).toMatchObject({ reencrypted: 3, left: 0 });
      expect(await rotate(after, before)).toMatchObject({ reencrypted: 0, left: 0 });
      const again = await new ApiClient(old.origin, owner.key).send(
        'POST',
        `/v1/webhooks/${id}/rotate-secret`,
        { body: {} },
      );
      expectSuccess(again, 200);
      await rotate(after, before);
    } finally {
      await Promise.all([old.end(), renewed.end()]);
    }
    const alone = await startService(settings(after));
    await keepSecrets(alone.origin).finally(() => alone.end());
    expect(await failedStart(before)).toMatch(/^SECRETS_KEY is not the key that the secrets/m);
  });

  it('a new SECRETS_KEY does not start alone while the former one is needed, and says so in one sentence', async () => {
    const [before, after] = [newKey(), newKey()];
    const old = await startService(settings(before));
    await keepSecrets(old.origin).finally(() => old.end());
    expect(await failedStart(after)).toMatch(/^SECRETS_KEY is not the key .*SECRETS_KEY_PREVIOUS/m);
    // A secret that an old replica wrote after the re-encryption.
    const both = await startService(settings(before, after));
    await rotate(after, before);
    await keepSecrets(both.origin).finally(() => both.end());
    expect(await failedStart(after)).toMatch(
      /^3 stored secrets are encrypted with a former key \(id [0-9a-f]{8}\) .* Add that key to SECRETS_KEY_PREVIOUS/m,
    );
    expectRefusal(await runCli(settings(after), 'secrets', 'rotate'), /^3 stored secrets are/);
    expect(await rotate(after, newKey(), before)).toMatchObject({ reencrypted: 3, left: 0 });
    await (await startService(settings(after))).end();
  });

  it('a new SECRETS_KEY continues where a killed command stopped, and leaves damaged records alone', async () => {
    const [before, after] = [newKey(), newKey()];
    const old = await startService(settings(before));
    for (let count = 0; count < 3; count += 1) await keepSecrets(old.origin);
    await old.end();
    await database.dataSource.query(
      `UPDATE webhooks SET secret_encrypted = set_byte(secret_encrypted, 40, 1 # get_byte(secret_encrypted, 40))
        WHERE id = (SELECT id FROM webhooks LIMIT 1)`,
    );
    const first = await rotate(after, before);
    expect(first).toMatchObject({ reencrypted: 8, unreadable: 1, left: 0 });
    const status = await runCli(settings(after, before), 'secrets', 'status');
    expect(status.stdout).toMatch(/webhooks +secret_encrypted +[0-9a-f]{8} +former +1\n/);
    await (await startService(settings(after))).end();
  });

  it('a new SECRETS_KEY is read from the settings, and a wrong former one is reported', async () => {
    expectRefusal(
      await runCli({ DATABASE_URL: database.url }, 'secrets', 'rotate', '--json'),
      /"message":"The configuration is invalid.*SECRETS_KEY is required with DATABASE_URL/,
    );
    expect((await runCli(settings(newKey(), 'short'), 'secrets', 'rotate')).stderr).toMatch(
      /SECRETS_KEY_PREVIOUS contains something that is not 32 bytes in base64/,
    );
    expectRefusal(
      await runCli(settings(newKey()), 'secrets', 'rotate', '--new-key'),
      /set a new key there and the former key in SECRETS_KEY_PREVIOUS/,
    );
  });

  it('a new SECRETS_KEY is refused by the first start after a demo, by demo and by doctor, and the right one still works', async () => {
    const [right, wrong] = [newKey(), newKey()];
    const demo = ['demo', '--documents', '1'] as const;
    printed(await runCli(settings(right), ...demo, '--json'));
    const doctor = await runCli({ ...settings(wrong), PORT: '0' }, 'doctor');
    expect([doctor.exitCode, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/^failure +database .*SECRETS_KEY/m) as string,
    ]);
    expect(await failedStart(wrong)).toContain('SECRETS_KEY');
    expectRefusal(await runCli(settings(wrong), ...demo), /SECRETS_KEY/);
    const service = await startService(settings(right));
    expect(await service.end()).toBe(0);
  });
});

it('the key in the data folder is replaced by secrets rotate --new-key while the service is stopped', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'document-service-secrets-'));
  const file = () => readFile(join(dataDir, 'secrets.key'), 'utf8');
  const command = () => runCli({ DATA_DIR: dataDir }, 'secrets', 'rotate', '--new-key', '--json');
  try {
    const service = await startService({ DATA_DIR: dataDir });
    const made = await runCli(
      { DATA_DIR: dataDir },
      'keys',
      'create',
      '--email',
      'a@b.example',
      '--json',
    );
    owner = printed(made) as { key: string };
    await keepSecrets(service.origin);
    const before = await file();
    expectRefusal(await command(), /service is running on this data folder .*stop it, run/);
    await service.end();
    expect(await file()).toBe(before);
    expect(printed(await command())).toMatchObject({ reencrypted: 3, left: 0, unreadable: 0 });
    expect(await file()).toMatch(/^[\w+/]{43}=$/);
    expect(await file()).not.toBe(before);
    const again = await startService({ DATA_DIR: dataDir });
    await keepSecrets(again.origin).finally(() => again.end());
  } finally {
    await eventually(() => rm(dataDir, { recursive: true, force: true }).then(() => true));
  }
});

it('columns of secrets are found by name, and other binary columns contain no readable secret', async () => {
  const columns = await database.dataSource.query<{ name: string }[]>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND (data_type = 'bytea' OR column_name LIKE '%encrypted%')
          AND table_name <> 'secrets_key_check' ORDER BY 1`,
  );
  const known = secretColumns(database.dataSource).map(({ table, column }) => `${table}.${column}`);
  const others = columns.map(({ name }) => name).filter((name) => !known.includes(name));
  // There is a new column of bytes. If SecretBox writes it, its name must end with _encrypted, and the value must be
  // bound to its row's id.
  expect(others).toEqual([
    'access_tokens.hash',
    'api_keys.key_hash',
    'authorization_codes.hash',
    'idempotency_keys.body_hash',
    'idempotency_keys.id',
    'one_time_links.mailed_token_hash',
    'one_time_links.token_hash',
    'sessions.token_hash',
    'sign_in_attempts.bucket',
    'stored_file_chunks.bytes',
    'used_oidc_attempts.state_hash',
  ]);
  expect(known).toEqual(
    expect.arrayContaining([
      'idempotency_keys.outcome_encrypted',
      'user_second_factors.secret_encrypted',
      'webhooks.previous_secret_encrypted',
      'webhooks.secret_encrypted',
    ]),
  );
});
