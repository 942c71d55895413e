import type { Dispatcher } from 'undici';
import { pausedSince, TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import { redactSecrets } from '../../../platform/basics/redact-secrets.js';
import {
  exchangeFailure,
  statusFailure,
  timeoutFailure,
  type Failure,
  type Progress,
} from './failure.js';

/** Most bytes of an answer that are kept, as text. */
export const MAX_EXCERPT_BYTES = 16 * 1024;
/** More than is stored, so that a secret at the end of the excerpt is found before it is cut. */
const MAX_KEPT_BYTES = MAX_EXCERPT_BYTES + 1024;
/** Most bytes of an answer that are read; a longer one counts by its status and is cut. */
const MAX_READ_BYTES = 64 * 1024;
/** Most headers of an answer that are kept, their bytes in all, and the characters of one value. */
const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_VALUE_LENGTH = 1024;
/** Sessions of a receiver with others are not kept. */
const PRIVATE_HEADERS = new Set(['set-cookie', 'set-cookie2', 'authentication-info']);

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request and what came back. */
export interface ExchangeResult {
  /** `undefined` when no answer began. */
  status: number | undefined;
  headers: ResponseHeaders;
  /** The beginning of the answer's body, at most 17 KiB. */
  body: Buffer;
  /** `undefined` on success. */
  failure: Failure | undefined;
  durationMs: number;
}

/**
 * Handles one request of undici until its answer has ended or the time is over, and calls `onEnd` once; with `undefined`
 * when it failed and a pause of this process may be the reason, or when the lease has ended, after which nothing is sent and
 * the connection is cut. Keeps no more of the answer than an excerpt.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly started = performance.now();
  private readonly limit: TimeLimit;
  /** The time limit leaves out pauses of this process; the lease does not. */
  private readonly lease: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  private read = 0;
  private over = false;

  constructor(
    private readonly limitMs: number,
    /** Of the monotonic clock. */
    private readonly leasedUntil: number,
    private readonly onEnd: (result: ExchangeResult | undefined) => void,
  ) {
    this.limit = new TimeLimit(limitMs, () => {
      this.cut(this.unlessPaused(timeoutFailure(this.progress, limitMs)));
    });
    this.lease = setTimeout(() => {
      // An answer that has arrived is read first.
      setImmediate(() => {
        this.cut(undefined);
      });
    }, leasedUntil - this.started);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The time was over before there was a connection: nothing may be sent on it any more.
    if (performance.now() >= this.leasedUntil) this.end(undefined);
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
    if (this.kept < MAX_KEPT_BYTES) {
      // A copy: a slice would keep the whole read buffer in memory.
      const part = Buffer.from(chunk.subarray(0, MAX_KEPT_BYTES - this.kept));
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
    this.end(this.unlessPaused(exchangeFailure(error, this.progress, this.limitMs)));
  }

  /** Ends the exchange before its answer has ended. */
  private cut(result: ExchangeResult | undefined): void {
    this.end(result);
    this.controller?.abort(new Error('The exchange was cut.'));
  }

  private get progress(): Progress {
    if (this.status !== undefined) return 'answered';
    return this.controller === undefined ? 'connecting' : 'sent';
  }

  /** Nothing when this process was paused meanwhile: the receiver may not be to blame, so the attempt does not count. */
  private unlessPaused(failed: Failure): ExchangeResult | undefined {
    return pausedSince(this.started) ? undefined : this.resultOf(failed);
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
    clearTimeout(this.lease);
    this.onEnd(result);
  }
}

/**
 * The beginning of an answer as text that PostgreSQL can keep: at most 16 KiB of UTF-8 without U+0000. Bytes that are no
 * UTF-8 become U+FFFD; compressed answers are not unpacked. Secrets are redacted.
 */
export function excerptOf(bytes: Buffer): string {
  const text = bytes.subarray(0, MAX_KEPT_BYTES).toString('utf8').replaceAll('\0', '\ufffd');
  // A replacement takes three bytes for the one it stands for.
  return Buffer.from(redactSecrets(text), 'utf8')
    .subarray(0, MAX_EXCERPT_BYTES)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}

/** Returns the headers of an answer without secrets, bounded in number and size. */
export function keptHeaders(headers: ResponseHeaders): Record<string, string> {
  const kept: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || PRIVATE_HEADERS.has(name)) continue;
    const text = shortened(redactSecrets(String(value))).replaceAll('\0', '\ufffd');
    bytes += name.length + text.length;
    if (kept.length === MAX_HEADERS || bytes > MAX_HEADER_BYTES) break;
    kept.push([redactSecrets(name), text]);
  }
  return Object.fromEntries(kept);
}

function shortened(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH - 1)}…` : value;
}
