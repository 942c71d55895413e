import pg from 'pg';

const RECONNECT_AFTER_MS = 500;

export interface NotificationsOptions {
  url: string;
  channel: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  onNotification: (payload: string) => void;
  /** Called at each connection: what was notified before it is lost. */
  onConnected: () => void;
}

/**
 * Listens to a channel of PostgreSQL on a connection of its own, and connects again when that is lost. A notification
 * tells that something happened; whoever relies on it must look from time to time as well.
 */
export class Notifications {
  private client: pg.Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: NotificationsOptions) {}

  /** Resolves when it listens or will try again; never rejects. */
  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: this.options.applicationName,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', ({ payload }) => {
      this.options.onNotification(payload ?? '');
    });
    client.on('error', () => {
      this.reconnect(client);
    });
    client.on('end', () => {
      this.reconnect(client);
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${this.options.channel}`);
      this.options.onConnected();
    } catch {
      this.reconnect(client);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  private reconnect(lost: pg.Client): void {
    if (this.client !== lost) return;
    this.client = undefined;
    void lost.end().catch(() => undefined);
    if (this.closed) return;
    this.retry = setTimeout(() => void this.open(), RECONNECT_AFTER_MS);
  }
}
