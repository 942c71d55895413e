import { startTestApp, type TestApp } from '../support/app.js';
import {
  inTurn,
  respondWith,
  WebhookReceiver,
  type Behaviour,
} from '../support/webhook-receiver.js';
import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { emit, passWaits, register, untilStatus } from './delivery-tools.js';

let apps: TestApp[];
let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  const environment = { PROCESS_ROLE: 'all', WEBHOOK_RETRY_SCHEDULE: '0,60' };
  app = await startTestApp({ environment, stopClock: false });
  const { url } = app.dataSource.options as { url: string };
  // Two workers, as in production.
  apps = [app, await startTestApp({ environment, stopClock: false, databaseUrl: url })];
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(async () => {
  for (const each of apps.toReversed()) await each.close();
});

/** Responds after a random delay, which reveals deliveries that overtake others. */
const slow: Behaviour = (_, response) => {
  setTimeout(() => response.writeHead(204).end(), Math.random() * 10);
};

const versions = (of: string) =>
  receiver.received
    .filter(({ event }) => event.data.document.id === of)
    .map(({ event }) => event.data.document.version as number);

describe('the deliveries of one document', () => {
  it('the deliveries of one document arrive in the order of its versions, one at a time, while other documents do not wait', async () => {
    receiver.behave(slow);
    const account = await app.account();
    await register(account.api, receiver.url);
    const documents = Array.from({ length: 8 }, () => newUuid());
    // Several events in one statement, and several statements in a row.
    for (let version = 1; version <= 12; version += 3) {
      for (const subjectId of documents) {
        await emit(app.dataSource, account.accountId, { subjectId, first: version, count: 3 });
      }
    }
    await receiver.gets(8 * 12);
    for (const document of documents) {
      expect(versions(document)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    }
    expect(receiver.mostUnderWay).toBeGreaterThan(2);
    expect(receiver.mostUnderWay).toBeLessThanOrEqual(8);
  });

  it('the deliveries of one document do not wait for one that has failed', async () => {
    receiver.behave(inTurn(respondWith(500), respondWith(204)));
    const account = await app.account();
    const webhook = await register(account.api, receiver.url);
    const subjectId = newUuid();
    await emit(app.dataSource, account.accountId, { subjectId, count: 3 });
    await untilStatus(app.dataSource, webhook, 'pending', 'succeeded', 'succeeded');
    await passWaits(app.dataSource);
    await untilStatus(app.dataSource, webhook, 'succeeded', 'succeeded', 'succeeded');
    expect(versions(subjectId)).toEqual([1, 2, 3, 1]);
  });

  it('the deliveries of one document do not block other documents, however many of them wait', async () => {
    const [crowded, other] = [newUuid(), newUuid()];
    const held: (() => void)[] = [];
    receiver.behave(({ event }, response) => {
      const end = () => response.writeHead(204).end();
      if (event.data.document.id === crowded) held.push(end);
      else end();
    });
    const account = await app.account();
    await register(account.api, receiver.url);
    await emit(app.dataSource, account.accountId, { subjectId: crowded, count: 300 });
    await receiver.until(() => versions(crowded).length === 1);
    await emit(app.dataSource, account.accountId, { subjectId: other });
    await receiver.until(() => versions(other).length === 1);
    expect(versions(crowded)).toEqual([1]);
    for (const end of held) end();
    await account.api.deleteWebhook((await account.api.listWebhooks()).body.data[0].id as string);
  });
});
