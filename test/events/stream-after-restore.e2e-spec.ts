import { settleRestoredEvents } from '../../src/events/stream/restored-events.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { StreamClient } from './stream-client.js';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

const orderOfEvents = () =>
  app.dataSource.query<{ id: string; transaction_id: string }[]>(
    'SELECT id, transaction_id FROM events ORDER BY transaction_id, id',
  );

describe('a database loaded from a dump of another server', () => {
  it('shows new events behind the restored ones at its next start', async () => {
    const { api, key } = await app.account();
    for (const title of ['One', 'Two', 'Three']) await api.createDocument({ title });
    const [newest] = (await api.listEvents()).body.data as [{ id: string }];
    // That server had many more transactions than this one.
    await app.dataSource.query('UPDATE events SET transaction_id = transaction_id + 10 ^ 12');
    const ids = (await orderOfEvents()).map(({ id }) => id).sort();
    const answers = await Promise.all([1, 2, 3].map(() => settleRestoredEvents(app.dataSource)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await orderOfEvents()).toEqual(ids.map((id) => ({ id, transaction_id: '0' })));
    const stream = await StreamClient.open(app.origin, key, { lastEventId: newest.id });
    await api.createDocument({ title: 'Four' });
    const { data } = await stream.listen().next();
    expect(data).toContain('"Four"');
    stream.leave();
  });

  it('is told from one that was not: there everything stays as it is', async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'One' });
    const before = await orderOfEvents();
    expect(await settleRestoredEvents(app.dataSource)).toBe(false);
    expect(await orderOfEvents()).toEqual(before);
  });
});
