import { Notifications } from '../../src/platform/database/notifications.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** A pause of this machine for twice as long looks like a silent server. */
const HEARTBEAT_MS = 1_000;
const NAME = 'test of notifications';

let test: Awaited<ReturnType<typeof openTestDatabase>>;
let proxy: TcpProxy;
let notifications: Notifications;
let heard: string[];
let connections: number;
beforeEach(async () => {
  test = await openTestDatabase();
  const url = new URL(test.url);
  proxy = await TcpProxy.start(Number(url.port), url.hostname);
  url.host = `127.0.0.1:${String(proxy.port)}`;
  heard = [];
  connections = 0;
  notifications = new Notifications({
    url: url.href,
    channel: 'test',
    applicationName: NAME,
    heartbeatMs: HEARTBEAT_MS,
    onNotification: (payload) => heard.push(payload),
    onConnected: () => (connections += 1),
  });
  await notifications.open();
});
afterEach(async () => {
  await notifications.close();
  await proxy.close();
  await test.drop();
});

const notify = (payload: string) => test.dataSource.query(`NOTIFY test, '${payload}'`);

describe('A connection that listens for notifications', () => {
  it('is replaced when it falls silent without closing, and receives notifications again', async () => {
    await notify('before');
    await eventually(() => heard.includes('before'));
    proxy.silence();
    await notify('lost');
    await eventually(() => connections >= 2);
    await notify('after');
    await eventually(() => heard.includes('after'));
    expect(heard).toEqual(['before', 'after']);
  });

  it('stays open while the server responds, even without notifications', async () => {
    const beats = new Set<string>();
    await eventually(async () => {
      const [row] = await test.dataSource.query<{ at: string }[]>(
        'SELECT query_start::text AS at FROM pg_stat_activity WHERE application_name = $1',
        [NAME],
      );
      if (row) beats.add(row.at);
      return beats.size > 2;
    });
    expect(connections).toBe(1);
  });
});
