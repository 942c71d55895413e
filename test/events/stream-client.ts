import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** A block of a stream, as parsed by a client of server-sent events. */
export interface Block {
  id: string;
  event: string;
  data: string;
}

export interface StreamOptions {
  query?: string;
  /** In place of `/v1`, for the dashboard. */
  base?: string;
  /** In place of the key. */
  headers?: Record<string, string>;
  lastEventId?: string;
}

/**
 * A client of `GET /v1/events/stream` that reads as the standard specifies (WHATWG HTML, 9.2.6). Written here so the
 * product is not tested with its own code. Only reads when asked.
 */
export class StreamClient {
  readonly comments: string[] = [];
  retry: string | undefined;
  lastEventId = '';
  private readonly blocks: Block[] = [];
  private text = '';
  private ended = false;
  private readonly changes = new EventEmitter();

  private constructor(readonly response: IncomingMessage) {}

  /** Connects and waits for the headers. A refused request has a status other than 200. */
  static async open(
    origin: string,
    key: string,
    options: StreamOptions = {},
  ): Promise<StreamClient> {
    const { query = '', lastEventId, base = '/v1' } = options;
    const { headers = { authorization: `Bearer ${key}` } } = options;
    const request = get(`${origin}${base}/events/stream${query}`, {
      agent: false,
      headers: {
        ...headers,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new StreamClient(response);
  }

  /** Starts reading. */
  listen(): this {
    this.response.setEncoding('utf8');
    this.response.on('data', (chunk: string) => {
      this.take(chunk);
    });
    this.response.on('error', () => undefined);
    this.response.on('close', () => {
      this.ended = true;
      this.tell();
    });
    return this;
  }

  /** Returns the next event. Throws if the stream ends first. */
  async next(): Promise<Block> {
    for (;;) {
      const block = this.blocks.shift();
      if (block) return block;
      if (this.ended) throw new Error('The stream has ended.');
      await once(this.changes, 'change');
    }
  }

  async nextOnes(count: number): Promise<Block[]> {
    const blocks: Block[] = [];
    while (blocks.length < count) blocks.push(await this.next());
    return blocks;
  }

  /** Resolves when a comment with this text arrives. */
  async comment(text: string): Promise<void> {
    while (!this.comments.includes(text)) await once(this.changes, 'change');
  }

  /** Resolves with the unread events when the service ends the stream. */
  async end(): Promise<Block[]> {
    while (!this.ended) await once(this.changes, 'change');
    return this.blocks.splice(0);
  }

  leave(): void {
    this.response.destroy();
  }

  private take(chunk: string): void {
    this.text += chunk;
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end === -1) break;
      this.dispatch(this.text.slice(0, end).split('\n'));
      this.text = this.text.slice(end + 2);
    }
    this.tell();
  }

  private dispatch(lines: readonly string[]): void {
    const data: string[] = [];
    let event = 'message';
    for (const line of lines) {
      const colon = line.indexOf(':');
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
      if (colon === 0) this.comments.push(value);
      else if (name === 'data') data.push(value);
      else if (name === 'event') event = value;
      else if (name === 'id') this.lastEventId = value;
      else if (name === 'retry') this.retry = value;
      else throw new Error(`No field of a stream: ${line}`);
    }
    if (data.length > 0) this.blocks.push({ id: this.lastEventId, event, data: data.join('\n') });
  }

  private tell(): void {
    this.changes.emit('change');
  }
}
