import { Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { redactSecrets } from '../../../platform/basics/redact-secrets.js';
import { Config } from '../../../platform/config/config.js';
import { isAllowedAddress } from '../../../platform/network/allowed-address.js';
import { GuardedClient, type ExchangeResult } from '../../../platform/network/guarded-client.js';
import type { ResponseHeaders } from '../../../platform/network/response-limits.js';
import { traced } from '../../../platform/operation/tracing.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { isLocalForm, LocalReceivers } from '../settings/local-receivers.js';
import { receiverUrlProblems, type ReceiverPolicy } from '../settings/receiver-url.js';
import { maskHeaders, openHeaders } from '../settings/webhook-headers.js';
import { signatureHeaders } from '../signing/signature.js';
import { ifReadable } from '../signing/webhook-secret.js';
import {
  attemptOutcome,
  exchangeFailure,
  failure,
  isInternalFailure,
  responseTime,
  retryAfterMs,
  statusFailure,
  type Failure,
  type FailureClass,
} from './attempt-outcome.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import {
  DeliveryRepository,
  type ClaimedDelivery,
  type DeliveryAttempt,
  type StoredResponse,
} from './delivery.repository.js';

/** Time reserved at the end of the lease to record the attempt, in milliseconds. */
const RECORDING_MS = 500;
/** Maximum URLs whose check is cached. A check takes as long as signing. */
const MAX_TARGETS = 1_000;

/** Maximum bytes of a response to store, as text. */
export const MAX_EXCERPT_BYTES = 16 * 1024;
/** More than is stored, so that a secret at the end of the excerpt is found before it is cut. */
const MAX_BODY_BYTES = MAX_EXCERPT_BYTES + 1024;
/** Maximum headers of a response to store, their bytes in total, and the characters of one value. */
const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_VALUE_LENGTH = 1024;
/** Headers that contain sessions of the receiver. */
const PRIVATE_HEADERS = new Set(['set-cookie', 'set-cookie2', 'authentication-info']);

/** The signed request of one attempt. */
interface DeliveryRequest {
  headers: Record<string, string>;
  /** The same headers as stored, with the values of custom headers masked. */
  maskedHeaders: Record<string, string>;
  body: Buffer;
}

/** An exchange whose failure is in words. A status other than 2xx is also a failure. */
type AttemptResult = Omit<ExchangeResult, 'failure'> & { failure: Failure | undefined };

type Target = { origin: string; path: string } | { refusal: Failure };

/** Posts to receivers that the operator's policy allows, and reports why a post failed. */
export class ReceiverClient {
  private readonly client: GuardedClient;
  private readonly targets: LRUCache<string, Target>;

  constructor(
    policy: ReceiverPolicy,
    private readonly limitMs: number,
  ) {
    this.targets = new LRUCache({ max: MAX_TARGETS, memoMethod: (url) => targetOf(url, policy) });
    this.client = new GuardedClient({
      isAllowed: (address) => isAllowedAddress(address, policy.webhookAllowedNetworks),
      limitMs,
      maxBodyBytes: MAX_BODY_BYTES,
    });
  }

  /** Never rejects. Resolves with `undefined` if the attempt does not count, like {@link GuardedClient.post}. */
  async post(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
    leasedUntil: number,
  ): Promise<AttemptResult | undefined> {
    const target = this.targets.memo(url);
    if ('refusal' in target) return nothingSent(target.refusal);
    const result = await this.client.post({ ...target, headers, body }, leasedUntil);
    return (
      result && {
        ...result,
        failure: result.failure
          ? exchangeFailure(result.failure, this.limitMs)
          : statusFailure(result.status ?? 0),
      }
    );
  }

  abortAll(): void {
    this.client.abortAll();
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Attempts deliveries: signs, sends, decides and records. Holds no transaction while it sends. */
@Injectable()
export class DeliverySender {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly client: ReceiverClient,
    private readonly deliveries: DeliveryRepository,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
    @Optional() private readonly localReceivers?: LocalReceivers,
  ) {}

  /**
   * Resolves when the outcome is recorded, with the milliseconds until the next attempt if there is one. Resolves with
   * `'released'` if no attempt counts: it was aborted or paused, it outlived its lease, or `leasedUntil` (on the
   * monotonic clock) was too close to start. Rejects with the pg error if the database was unavailable until the lease
   * ended. The delivery is then sent again.
   */
  async send(
    delivery: ClaimedDelivery,
    leasedUntil: number,
  ): Promise<'released' | { retryInMs: number | undefined }> {
    const latestStart = leasedUntil - this.config.webhookTimeLimitMs - RECORDING_MS;
    // After a pause of this process, another one may have leased the delivery.
    if (performance.now() > latestStart) return 'released';
    const attempt = await this.attempt(delivery, leasedUntil);
    if (attempt === undefined) return 'released';
    return { retryInMs: await this.record(attempt, leasedUntil) };
  }

  /** Aborts the attempts in flight and releases their deliveries. */
  abortAll(): void {
    this.client.abortAll();
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.client.close();
  }

  private async attempt(
    delivery: ClaimedDelivery,
    leasedUntil: number,
  ): Promise<DeliveryAttempt | undefined> {
    const startedAt = this.clock.now();
    const number = delivery.attempts + 1;
    const request = this.signedRequest(delivery, startedAt);
    const result =
      typeof request === 'string'
        ? nothingSent(failure(request))
        : await traced(
            'webhook attempt',
            {
              'document_service.event_id': encodeId('event', delivery.eventId),
              'document_service.webhook_id': encodeId('webhook', delivery.webhookId),
              'document_service.attempt': number,
            },
            () => this.post(delivery, request, leasedUntil),
            (made) => ({
              'http.response.status_code': made?.status,
              'error.type': made?.failure?.class,
            }),
          );
    return (
      result && {
        delivery,
        number,
        startedAt,
        durationMs: result.durationMs,
        requestHeaders: typeof request === 'string' ? {} : request.maskedHeaders,
        response: storedResponse(result),
        failure: result.failure,
        retryAfterMs: requestedWait(result, startedAt),
      }
    );
  }

  /** Returns the milliseconds until the next attempt, if there is one. */
  private async record(attempt: DeliveryAttempt, leasedUntil: number): Promise<number | undefined> {
    const { delivery, number, failure: failed } = attempt;
    const decided = attemptOutcome(
      {
        number: number - delivery.earlierAttempts,
        failure: failed,
        retryAfterMs: attempt.retryAfterMs,
        failingForMs: delivery.failingForMs,
      },
      this.config.webhookRetrySchedule,
    );
    const outcome = await this.deliveries.record(attempt, decided, leasedUntil);
    this.metrics.attemptEnded(attempt, outcome?.kind ?? 'superseded');
    // An attempt after its lease counts neither for the delivery nor for the receiver.
    if (outcome === undefined) return undefined;
    if (failed === undefined || !isInternalFailure(failed)) {
      await this.deliveries.countResult(delivery, failed === undefined);
    }
    return outcome.kind === 'retry' ? outcome.delayMs : undefined;
  }

  /**
   * Returns the signed request of an attempt, or why there is none. Its `webhook-id` is the event's ID. It is the same
   * for every attempt and redelivery, so receivers can detect duplicates.
   */
  private signedRequest(delivery: ClaimedDelivery, at: Date): DeliveryRequest | FailureClass {
    const { webhookId, secret, previousSecret } = delivery;
    if (delivery.body === null) return 'event_purged';
    const records = previousSecret === null ? [secret] : [secret, previousSecret];
    const secrets = ifReadable(() => records.map((one) => this.secretBox.open(one, webhookId)));
    const custom = ifReadable(() => openHeaders(this.secretBox, delivery.headers, webhookId));
    if (secrets === undefined || custom === undefined) return 'secret_unreadable';
    const body = Buffer.from(delivery.body, 'utf8');
    const standard = {
      'content-type': 'application/json',
      'user-agent': 'Document-Service-Webhooks/1.0',
      ...signatureHeaders(encodeId('event', delivery.eventId), body, secrets, at),
    };
    return {
      headers: { ...custom, ...standard },
      maskedHeaders: { ...maskHeaders(custom), ...standard },
      body,
    };
  }

  private async post(
    { accountId, url }: ClaimedDelivery,
    { headers, maskedHeaders, body }: DeliveryRequest,
    leasedUntil: number,
  ): Promise<AttemptResult | undefined> {
    const local = isLocalForm(url)
      ? await this.deliverLocally(accountId, url, maskedHeaders, body)
      : undefined;
    return local ?? (await this.client.post(url, headers, body, leasedUntil));
  }

  /** Returns `undefined` if the account has no local receiver at this URL. */
  private async deliverLocally(
    accountId: string,
    url: string,
    maskedHeaders: Record<string, string>,
    body: Buffer,
  ): Promise<AttemptResult | undefined> {
    const started = performance.now();
    const entries = Object.entries(maskedHeaders);
    const headers = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    const status = await this.localReceivers?.deliver(accountId, url, { headers, body });
    if (status === undefined) return undefined;
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ received: status === 200 })),
      failure: statusFailure(status),
      durationMs: Math.round(performance.now() - started),
    };
  }
}

/** Checks a URL again, because the operator may have closed a network since the registration. */
function targetOf(url: string, policy: ReceiverPolicy): Target {
  const [problem] = receiverUrlProblems(url, policy);
  if (problem) return { refusal: failure('url_refused', problem.issue) };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

function nothingSent(refusal: Failure): AttemptResult {
  return { status: undefined, headers: {}, body: Buffer.alloc(0), failure: refusal, durationMs: 0 };
}

/** Interprets Retry-After with the receiver's own clock if the response shows it, so a wrong local clock does not matter. */
function requestedWait(result: AttemptResult, startedAt: Date): number | undefined {
  if (result.failure?.class !== 'status_busy') return undefined;
  const { date, 'retry-after': retryAfter } = result.headers;
  const endedAt = new Date(startedAt.getTime() + result.durationMs);
  return retryAfterMs(String(retryAfter ?? ''), responseTime(String(date ?? ''), endedAt));
}

function storedResponse({ status, headers, body }: AttemptResult): StoredResponse | undefined {
  if (status === undefined) return undefined;
  return { status, headers: storedHeaders(headers), excerpt: storedExcerpt(body) };
}

/**
 * Returns the beginning of a body as text that PostgreSQL can store: at most 16 KiB of UTF-8 without U+0000 and without
 * secrets. Replaces bytes that are not UTF-8 with U+FFFD. Does not decompress.
 */
export function storedExcerpt(bytes: Buffer): string {
  const text = bytes.subarray(0, MAX_BODY_BYTES).toString('utf8').replaceAll('\0', '\ufffd');
  // A replacement character takes three bytes and replaces one byte, so the text may have grown.
  return Buffer.from(redactSecrets(text), 'utf8')
    .subarray(0, MAX_EXCERPT_BYTES)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}

/** Returns the headers of a response without secrets, limited in number and size. */
export function storedHeaders(headers: ResponseHeaders): Record<string, string> {
  const stored: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || PRIVATE_HEADERS.has(name)) continue;
    const text = shortened(redactSecrets(String(value))).replaceAll('\0', '\ufffd');
    bytes += name.length + text.length;
    if (stored.length === MAX_HEADERS || bytes > MAX_HEADER_BYTES) break;
    stored.push([redactSecrets(name), text]);
  }
  return Object.fromEntries(stored);
}

function shortened(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH - 1)}…` : value;
}
