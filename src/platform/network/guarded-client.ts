import { Agent, type Dispatcher } from 'undici';
import { pausedSince, TimeLimit } from '../basics/clock/time-limit.js';
import { guardedConnector, type IsAllowed } from './guarded-connector.js';
import { limitHeaders, MAX_HEADER_BYTES, type ResponseHeaders } from './response-limits.js';

/**
 * How long an idle connection stays open, in milliseconds. A request fails if the server closes the connection at the same
 * moment; most servers wait at least five seconds or announce their timeout.
 */
const IDLE_MS = 2_000;
const IDLE_MAX_MS = 15_000;
const IDLE_MARGIN_MS = 1_000;
/** Maximum bytes to read of a response. A longer one counts by its status, and its connection is closed. */
const MAX_READ_BYTES = 64 * 1024;
/** Maximum bytes of a response with its headers and framing. Chunks of a few bytes double the size of a body. */
const MAX_RECEIVED_BYTES = 2 * (MAX_READ_BYTES + MAX_HEADER_BYTES);

interface GuardedClientOptions {
  isAllowed: IsAllowed;
  /** Time limit of an exchange, from the connection to the end of the response. */
  limitMs: number;
  /** Maximum bytes of a response to return. */
  maxBodyBytes: number;
}

interface PostRequest {
  origin: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** The last step an exchange completed before it failed. */
export type ExchangeProgress = 'connecting' | 'sent' | 'responded';

/** Why an exchange failed: an error of undici or of the network, or the time limit. */
export interface ExchangeFailure {
  progress: ExchangeProgress;
  error: Error | 'timeout';
}

/** A request and its response. */
export interface ExchangeResult {
  /** `undefined` if no response began. */
  status: number | undefined;
  headers: ResponseHeaders;
  /** The beginning of the response's body. */
  body: Buffer;
  /** `undefined` if a complete response arrived, regardless of its status. */
  failure: ExchangeFailure | undefined;
  durationMs: number;
}

/**
 * Posts to allowed addresses only. Does not follow redirects, decompress responses, or use proxies from the environment.
 * Reuses connections to the same origin.
 */
export class GuardedClient {
  private readonly agent: Dispatcher;
  private isAborted = false;

  constructor(private readonly options: GuardedClientOptions) {
    this.agent = new Agent({
      connect: guardedConnector({
        isAllowed: options.isAllowed,
        timeoutMs: options.limitMs,
        maxBytes: MAX_RECEIVED_BYTES,
      }),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MAX_MS,
      keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
      // HttpExchange sets one limit for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    }).compose(limitHeaders);
  }

  /**
   * Resolves when the response has ended or the time limit is over; never rejects. Resolves with `undefined` if the
   * result does not count: {@link abortAll} was called, the exchange failed while this process was paused, or it had not
   * ended by `deadline` (on the monotonic clock), when the connection is closed.
   */
  post(request: PostRequest, deadline: number): Promise<ExchangeResult | undefined> {
    return new Promise((resolve) => {
      const exchange = new HttpExchange(this.options, deadline, (result) => {
        resolve(this.isAborted ? undefined : result);
      });
      this.agent.dispatch({ ...request, method: 'POST' }, exchange);
    });
  }

  /** Aborts all exchanges in flight; they have no result. */
  abortAll(): void {
    this.isAborted = true;
    void this.close();
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/**
 * Handles one undici request. Calls `onEnd` once: when the response has ended, or at the time limit or the deadline.
 * Passes `undefined` for a result that does not count.
 */
class HttpExchange implements Dispatcher.DispatchHandler {
  private readonly started = performance.now();
  private readonly limit: TimeLimit;
  /** The time limit excludes pauses of this process; the deadline includes them. */
  private readonly deadlineTimer: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];
  private storedBytes = 0;
  private readBytes = 0;
  private hasEnded = false;

  constructor(
    private readonly options: GuardedClientOptions,
    private readonly deadline: number,
    private readonly onEnd: (result: ExchangeResult | undefined) => void,
  ) {
    this.limit = new TimeLimit(options.limitMs, () => {
      this.abort(this.failed('timeout'));
    });
    this.deadlineTimer = setTimeout(() => {
      // Read a response that has already arrived first.
      setImmediate(() => {
        this.abort(undefined);
      });
    }, deadline - this.started);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Send nothing if the time was over before there was a connection.
    if (performance.now() >= this.deadline) this.end(undefined);
    if (this.hasEnded) controller.abort(new Error('The exchange was aborted.'));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBodyBytes } = this.options;
    if (this.storedBytes < maxBodyBytes) {
      // Copy: a slice would keep the whole read buffer in memory.
      const part = Buffer.from(chunk.subarray(0, maxBodyBytes - this.storedBytes));
      this.chunks.push(part);
      this.storedBytes += part.length;
    }
    this.readBytes += chunk.length;
    if (this.readBytes > MAX_READ_BYTES) this.abort(this.result(undefined));
  }

  onResponseEnd(): void {
    this.end(this.result(undefined));
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    this.end(this.failed(error));
  }

  private abort(result: ExchangeResult | undefined): void {
    this.end(result);
    this.controller?.abort(new Error('The exchange was aborted.'));
  }

  /** Returns `undefined` if this process was paused during the exchange, because the pause may have caused the failure. */
  private failed(error: ExchangeFailure['error']): ExchangeResult | undefined {
    if (pausedSince(this.started)) return undefined;
    return this.result({ progress: this.progress, error });
  }

  private get progress(): ExchangeProgress {
    if (this.status !== undefined) return 'responded';
    return this.controller === undefined ? 'connecting' : 'sent';
  }

  private result(failure: ExchangeFailure | undefined): ExchangeResult {
    return {
      status: this.status,
      headers: this.headers,
      body: Buffer.concat(this.chunks),
      failure,
      durationMs: Math.round(performance.now() - this.started),
    };
  }

  private end(result: ExchangeResult | undefined): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.limit.clear();
    clearTimeout(this.deadlineTimer);
    this.onEnd(result);
  }
}
