import pg from 'pg';
import { setSocketTimeout } from './pools.js';

const RECONNECT_AFTER_MS = 500;
const HEARTBEAT_MS = 5_000;

interface NotificationsOptions {
  url: string;
  channel: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  onNotification: (payload: string) => void;
  /** Called after each connect, because earlier notifications may be lost. */
  onConnected: () => void;
  /** Interval between two keepalives, in ms. After two without a response the connection is closed. */
  heartbeatMs?: number;
}

/**
 * Listens to a PostgreSQL channel on its own connection and reconnects if the connection fails, even silently.
 * Notifications can be lost, so receivers must also poll.
 */
export class Notifications {
  private client: pg.Client | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: NotificationsOptions) {}

  /** Resolves once LISTEN is active or a retry is scheduled. Never rejects. */
  async open(): Promise<void> {
    const { url, channel, applicationName, onNotification, onConnected } = this.options;
    const { heartbeatMs = HEARTBEAT_MS } = this.options;
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', ({ payload }) => {
      onNotification(payload ?? '');
    });
    client.on('error', () => {
      this.reconnect(client);
    });
    client.on('end', () => {
      this.reconnect(client);
    });
    try {
      await client.connect();
      setSocketTimeout(client, 2 * heartbeatMs);
      await client.query(`LISTEN ${channel}`);
      this.beat(client, heartbeatMs);
      onConnected();
    } catch {
      this.reconnect(client);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.heartbeat);
    await this.client?.end().catch(() => undefined);
  }

  /** Sends a keepalive, because a LISTEN-only connection never notices a dead peer. */
  private beat(client: pg.Client, everyMs: number): void {
    let isAlive = true;
    this.heartbeat = setInterval(() => {
      if (!isAlive) return;
      isAlive = false;
      client.query('').then(
        () => (isAlive = true),
        () => {
          this.reconnect(client);
        },
      );
    }, everyMs);
  }

  private reconnect(lost: pg.Client): void {
    if (this.client !== lost) return;
    this.client = undefined;
    clearInterval(this.heartbeat);
    void lost.end().catch(() => undefined);
    if (this.closed) return;
    this.retry = setTimeout(() => void this.open(), RECONNECT_AFTER_MS);
  }
}
