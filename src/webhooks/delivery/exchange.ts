import type { Dispatcher } from 'undici';
import { pausedSince, TimeLimit } from '../../clock/time-limit.js';
import { exchangeFailure } from './exchange-failure.js';
import { statusFailure, type Failure } from './failure.js';
import { MAX_EXCERPT_BYTES } from './response-excerpt.js';

/** Most bytes of an answer that are read; a longer one counts by its status and is cut. */
const MAX_READ_BYTES = 64 * 1024;

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request and what came back. */
export interface ExchangeResult {
  /** `undefined` when no answer began. */
  status: number | undefined;
  headers: ResponseHeaders;
  /** The beginning of the answer's body, at most 16 KiB. */
  body: Buffer;
  /** `undefined` on success. */
  failure: Failure | undefined;
  durationMs: number;
}

/**
 * Listens to one request of undici until its answer has ended, was cut, or the time is over, and tells once: nothing
 * when it was cut, or failed although it may not have without a pause of this process. Whatever the receiver sends, it
 * keeps no more than an excerpt.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly started = performance.now();
  private readonly limit: TimeLimit;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  private read = 0;
  private over = false;

  constructor(
    private readonly limitMs: number,
    private readonly tell: (result: ExchangeResult | undefined) => void,
  ) {
    this.limit = new TimeLimit(limitMs, () => {
      this.cut(this.failed('time is over'));
    });
  }

  /** Ends the exchange now; `result` is what is told of it. */
  cut(result?: ExchangeResult): void {
    this.end(result);
    this.controller?.abort(new Error('The exchange was cut.'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The time was over before there was a connection: nothing may be sent on it any more.
    if (this.over) controller.abort(new Error('The exchange was cut.'));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    // An early hint, or "continue": the answer is still to come.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.kept < MAX_EXCERPT_BYTES) {
      // A copy: a slice would keep the whole read buffer in memory.
      const part = Buffer.from(chunk.subarray(0, MAX_EXCERPT_BYTES - this.kept));
      this.chunks.push(part);
      this.kept += part.length;
    }
    this.read += chunk.length;
    if (this.read > MAX_READ_BYTES) this.cut(this.resultOf(statusFailure(this.status ?? 0)));
  }

  onResponseEnd(): void {
    this.end(this.resultOf(statusFailure(this.status ?? 0)));
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    this.end(this.failed(error));
  }

  private get progress(): 'connecting' | 'sent' | 'answered' {
    if (this.status !== undefined) return 'answered';
    return this.controller === undefined ? 'connecting' : 'sent';
  }

  /** Nothing while this process was paused: whose fault it was nobody knows, so the attempt is made again. */
  private failed(error: unknown): ExchangeResult | undefined {
    if (pausedSince(this.started)) return undefined;
    return this.resultOf(exchangeFailure(error, this.progress, this.limitMs));
  }

  private resultOf(failed: Failure | undefined): ExchangeResult {
    return {
      status: this.status,
      headers: this.headers,
      body: Buffer.concat(this.chunks),
      failure: failed,
      durationMs: Math.round(performance.now() - this.started),
    };
  }

  private end(result: ExchangeResult | undefined): void {
    if (this.over) return;
    this.over = true;
    this.limit.clear();
    this.tell(result);
  }
}
