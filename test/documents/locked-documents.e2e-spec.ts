import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('Documents that a long transaction holds', () => {
  it('Documents that a long transaction holds delay only their own writers', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const made = await mine.api.createDocument({ title: `Held ${String(n)}` });
      ids.push((expectSuccess(made, 201) as { id: string }).id);
    }
    const made = await other.api.createDocument({ title: 'Free' });
    const { id } = expectSuccess(made, 201) as { id: string };
    const holder = app.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT FROM documents WHERE account_id = $1 FOR UPDATE', [mine.accountId]);
    const held = ids.map(async (held, n) => {
      const response =
        n % 3 === 0
          ? await mine.api.deleteDocument(held)
          : n % 3 === 1
            ? await mine.api.patchDocument(held, { title: 'Changed' })
            : await mine.api.send('POST', `/v1/documents/${held}/edits`, {
                body: { edits: [{ op: 'append', text: 'x' }] },
                headers: { 'Idempotency-Key': held },
              });
      return response.status;
    });
    // Enough requests for every connection that one could wait for.
    for (let round = 0; round < 20; round += 1) {
      expectSuccess(await other.api.patchDocument(id, { title: `Title ${String(round)}` }));
      expectSuccess(await mine.api.readDocument(ids[round] ?? ''));
      expect((await app.api().send('GET', '/health/ready')).status).toBe(200);
    }
    expectSuccess(await other.api.deleteDocument(id));
    await holder.commitTransaction();
    await holder.release();
    // Requests that waited too long were refused, and all others succeeded.
    const statuses = await Promise.all(held);
    expect(new Set([...statuses, 503])).toEqual(new Set([200, 503]));
  });

  it('Documents that a long transaction holds delay writers on a plan with limits no longer than others', async () => {
    const { api, accountId } = await app.account({ plan: 'free' });
    const { id } = expectSuccess(await api.createDocument({ title: 'Held' }), 201) as {
      id: string;
    };
    const holder = app.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT FROM documents WHERE account_id = $1 FOR UPDATE', [accountId]);
    const started = performance.now();
    const response = await api.patchDocument(id, { title: 'Changed' });
    await holder.rollbackTransaction();
    await holder.release();
    expect(response.status).toBe(503);
    expect(performance.now() - started).toBeLessThan(6_000);
  });
});
