import pg from 'pg';
import { EnhancementsRepository } from '../../src/features/analysis/enhancements/enhancements.repository.js';
import { systemContext } from '../../src/features/auth/request-context.js';
import { Database } from '../../src/platform/database/database.js';
import { EventRetention, RedactionPurge } from '../../src/features/events/event-retention.js';
import { decodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { AccountRemoval } from '../../src/features/people/members/account/deleted-accounts.repository.js';
import { AccountService } from '../../src/features/people/members/account/account.service.js';
import { AccountsRepository } from '../../src/features/auth/accounts/accounts.repository.js';
import { OneTimeLinksRepository } from '../../src/features/people/sessions/links/one-time-links.repository.js';
import { UnverifiedUsersService } from '../../src/features/people/sessions/users/unverified-users.service.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

const part = <Part>(type: abstract new (...args: never[]) => Part): Part =>
  app.app.get<Part>(type, { strict: false });

const uuidIn = ({ body }: ApiResponse, kind: 'document' | 'webhook'): string =>
  decodeId(kind, (body.data as { id: string }).id) ?? '';

/** A transaction that locks step by step what production code locks, and fails if it has to wait. */
class Transaction {
  private constructor(private readonly session: pg.Client) {}

  static async begin(): Promise<Transaction> {
    const { url } = app.dataSource.options as { url: string };
    const session = new pg.Client(url);
    await session.connect();
    // Longer than the removal of accounts waits (200 ms, perhaps twice), and shorter than a deadlock lasts (1 s).
    await session.query(`SET lock_timeout = '900ms'`);
    await session.query('BEGIN');
    return new Transaction(session);
  }

  async run(text: string, values: unknown[] = []): Promise<void> {
    await this.session.query(text, values);
  }

  async end(): Promise<void> {
    await this.session.query('COMMIT');
    await this.session.end();
  }
}

/** Makes `work` wait for what `other` holds. Then `other` takes `next` and ends, and both must succeed. */
async function meet(
  work: () => Promise<unknown>,
  other: Transaction,
  next: readonly [text: string, values: unknown[]],
): Promise<void> {
  const working = work();
  working.catch(() => undefined);
  // Work that gives up after a short wait may have ended before a look noticed it.
  await Promise.race([untilSomebodyWaits(), working.catch(() => undefined)]);
  try {
    await other.run(...next);
  } finally {
    await other.end();
  }
  await working;
}

const untilSomebodyWaits = () =>
  eventually(async () => {
    const [row] = await app.dataSource.query<{ waiting: boolean }[]>(
      `SELECT count(*) > 0 AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.waiting === true;
  });

/** Creates two webhooks, written in the opposite order of their ids. */
async function twoWebhooks(account: TestAccount): Promise<[string, string]> {
  const api = app.api(account.key);
  const body = { url: 'http://127.0.0.1:1', events: ['*'] };
  const first = uuidIn(await api.registerWebhook(body), 'webhook');
  const second = uuidIn(await api.registerWebhook(body), 'webhook');
  await app.dataSource.query(
    `UPDATE webhooks SET created_at = now() + interval '1 hour', updated_at = now() + interval '1 hour' WHERE id = $1`,
    [first],
  );
  return [first, second];
}

function deletionOf({ accountId, userId, user }: TestAccount): () => Promise<void> {
  const context = systemContext('operator', accountId, { ...user, id: userId });
  return () => part(AccountService).delete(user.name, context);
}

describe('Deleting an account never deadlocks', () => {
  it('with counting the results of its receivers', async () => {
    const account = await app.account();
    const [first, second] = await twoWebhooks(account);
    const counting = await Transaction.begin();
    const lock = 'SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE';
    await counting.run(lock, [first]);
    await meet(deletionOf(account), counting, [lock, [second]]);
  });

  it.each([
    [0, 1],
    [1, 0],
  ] as const)('with a claim of its deliveries, in the order %i, %i', async (one, other) => {
    const account = await app.account();
    const webhooks = await twoWebhooks(account);
    for (const id of webhooks) {
      await app.dataSource.query(`INSERT INTO webhook_claims VALUES ($1, '{}')`, [id]);
    }
    const claim = await Transaction.begin();
    await claim.run(
      `SELECT pg_advisory_xact_lock(key)
         FROM (SELECT hashtextextended(id::text, 0) AS key FROM unnest($1::uuid[]) AS id ORDER BY key) AS locks`,
      [webhooks],
    );
    const write = `UPDATE webhook_claims SET delivery_ids = '{}' WHERE webhook_id = $1`;
    await claim.run(write, [webhooks[one]]);
    await meet(deletionOf(account), claim, [write, [webhooks[other]]]);
  });

  it('with rotating one of its keys', async () => {
    const account = await app.account();
    const rotation = await Transaction.begin();
    await rotation.run('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [account.keyId]);
    const refer = 'SELECT FROM accounts WHERE id = $1 FOR KEY SHARE';
    await meet(deletionOf(account), rotation, [refer, [account.accountId]]);
  });

  it('with what is created in it meanwhile, which is refused as if it came afterwards', async () => {
    const { accountId, api } = await app.account();
    const deletion = await Transaction.begin();
    await deletion.run('DELETE FROM accounts WHERE id = $1', [accountId]);
    const making = Promise.all([
      api.registerWebhook({ url: 'http://127.0.0.1:1', events: ['*'] }),
      api.createTemplate({ name: 'T', title: 'T' }),
      api.send('POST', '/v1/keys', { body: { name: 'k', scopes: ['*'] } }),
    ]);
    await untilSomebodyWaits();
    await deletion.end();
    for (const refused of await making) expectFailure(refused, 401, 'UNAUTHORIZED');
  });

  it('while its rows are removed, which yields to a worker that writes the results of attempts', async () => {
    const account = await app.account();
    await account.api.registerWebhook({ url: 'http://127.0.0.1:1', events: ['*'] });
    const deliveries: string[] = [];
    for (const title of ['Older', 'Newer']) {
      const document = uuidIn(await account.api.createDocument({ title }), 'document');
      const [row] = await app.dataSource.query<{ id: string }[]>(
        'SELECT id FROM webhook_deliveries WHERE subject_id = $1',
        [document],
      );
      deliveries.push(row?.id ?? '');
    }
    await deletionOf(account)();
    const settling = await Transaction.begin();
    const lock = 'SELECT FROM webhook_deliveries WHERE id = $1 FOR NO KEY UPDATE';
    await settling.run(lock, [deliveries[1]]);
    await meet(() => part(AccountRemoval).runBatch(), settling, [lock, [deliveries[0]]]);
    while (await part(AccountRemoval).runBatch());
    const left = await app.dataSource.query<unknown[]>('SELECT FROM events WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(left).toEqual([]);
  });
});

describe('A transaction that locks an account or a user', () => {
  it('accepts an invitation without deadlocking with its revocation', async () => {
    const { accountId, userId } = await app.account();
    const link = { purpose: 'invitation', accountId, role: 'member', invitedBy: userId } as const;
    const { id, token } = await part(OneTimeLinksRepository).create({
      ...link,
      email: 'b@example.com',
    });
    const revocation = await Transaction.begin();
    await revocation.run('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const acceptance = () =>
      part(Database).transaction(async () => {
        await part(OneTimeLinksRepository).take(token);
        await part(AccountsRepository).lock(accountId);
      });
    const revoke = 'UPDATE one_time_links SET revoked_at = now() WHERE id = $1';
    await expect(meet(acceptance, revocation, [revoke, [id]])).rejects.toThrow('or revoked');
  });

  it('sets a user apart without deadlocking with a rotation of a key of the user', async () => {
    const { userId, user, keyId } = await app.account();
    await app.dataSource.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [userId]);
    const rotation = await Transaction.begin();
    await rotation.run('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [keyId]);
    const refer = 'SELECT FROM users WHERE id = $1 FOR KEY SHARE';
    const setApart = () => part(UnverifiedUsersService).setApart(user.email, 'operator');
    await meet(setApart, rotation, [refer, [userId]]);
  });
});

describe('The retention of events', () => {
  it('never deadlocks with erasing texts from the same events', async () => {
    const { api } = await app.account();
    await api.registerWebhook({ url: 'http://127.0.0.1:1', events: ['*'] });
    const made = await api.createDocument({ title: 'Erased' });
    const [delivery] = await app.dataSource.query<{ id: string; event_id: string }[]>(
      'SELECT id, event_id FROM webhook_deliveries WHERE subject_id = $1',
      [uuidIn(made, 'document')],
    );
    await app.dataSource.query(
      `INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, duration_ms, request_headers, response_excerpt)
       VALUES ($1, 1, now(), 1, '{}', 'Erased')`,
      [delivery?.id],
    );
    await api.deleteDocument((made.body.data as { id: string }).id, { permanent: true });
    const retention = await Transaction.begin();
    await retention.run('SELECT FROM events WHERE id = $1 FOR UPDATE SKIP LOCKED', [
      delivery?.event_id,
    ]);
    const remove = 'DELETE FROM webhook_delivery_attempts WHERE delivery_id = $1';
    await meet(() => part(RedactionPurge).runBatch(), retention, [remove, [delivery?.id]]);
    while (await part(RedactionPurge).runBatch());
    expect(await part(EventRetention).runBatch()).toBe(false);
  });
});

describe('Removing a document', () => {
  it('never deadlocks with requesting an enhancement that displaces an older one', async () => {
    const { api, accountId, userId } = await app.account();
    const documentId = uuidIn(await api.createDocument({ title: 'Enhanced' }), 'document');
    const order = () =>
      part(EnhancementsRepository).insert({
        ...{ id: newUuid(), accountId, documentId, jobId: newUuid(), baseVersion: 1 },
        ...{ automatic: false, goals: [], instructions: null, createdBy: userId },
        settings: {} as never,
        engine: { name: 'test', version: '1' },
        createdAt: new Date(),
      });
    for (let n = 0; n < 100; n += 1) await order();
    await app.dataSource.query(
      `UPDATE enhancements SET status = 'rejected' WHERE document_id = $1`,
      [documentId],
    );
    const removal = await Transaction.begin();
    await removal.run('SELECT FROM documents WHERE id = $1 FOR UPDATE', [documentId]);
    const cascade = 'DELETE FROM enhancements WHERE document_id = $1';
    await meet(order, removal, [cascade, [documentId]]);
  });
});
