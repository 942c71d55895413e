import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { emit, register } from './delivery-tools.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Claimed {
  deliveryId: string;
}

/** Claims like a worker that may start this many deliveries of the webhook. */
async function claim(webhook: string, allowance: number): Promise<string[]> {
  const rows = await app.dataSource.query<Claimed[]>(
    'SELECT * FROM claim_webhook_deliveries($1, $2, 100, 32000000, 20, 30000, 0)',
    [[webhook], [allowance]],
  );
  return rows.map(({ deliveryId }) => deliveryId);
}

async function subjectsOf(deliveryIds: string[]): Promise<string[]> {
  const rows = await app.dataSource.query<{ subject: string }[]>(
    'SELECT subject_id AS subject FROM webhook_deliveries WHERE id = ANY ($1)',
    [deliveryIds],
  );
  return rows.map(({ subject }) => subject).sort();
}

describe('a claim', () => {
  it('a claim returns no second delivery of a document whose retry is leased far back in the queue', async () => {
    const { api, accountId } = await app.account();
    const webhook = await register(api, 'https://receiver.example/claims');
    const [crowded, retried] = [newUuid(), newUuid()];
    // The retry was planned first and is due last. The document's next delivery is due before it.
    await emit(app.dataSource, accountId, { subjectId: retried });
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET attempts = 1, next_attempt_at = clock_timestamp() + interval '0.3 seconds'
        WHERE webhook_id = $1`,
      [webhook],
    );
    await emit(app.dataSource, accountId, { subjectId: retried, first: 2 });
    await emit(app.dataSource, accountId, { subjectId: crowded, count: 100 });
    await app.dataSource.query('SELECT pg_sleep(0.3)');
    expect(await subjectsOf(await claim(webhook, 20))).toEqual([crowded, retried].sort());
    expect(await claim(webhook, 1)).toEqual([]);
  });

  it('a claim counts leased deliveries far back in the queue against the maximum of a webhook', async () => {
    const { api, accountId } = await app.account();
    const webhook = await register(api, 'https://receiver.example/cap');
    const documents = Array.from({ length: 80 }, () => newUuid());
    for (const subjectId of documents) await emit(app.dataSource, accountId, { subjectId });
    expect(await claim(webhook, 20)).toHaveLength(20);
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp()
        WHERE webhook_id = $1 AND lease_expires_at IS NOT NULL`,
      [webhook],
    );
    expect(await claim(webhook, 20)).toEqual([]);
  });
});
