import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { differences, differing, type Account } from './response-checks.js';
import { DocumentModel } from './document-model.js';
import type { KeyName } from './model-types.js';
import { Operations, type Step } from './operations.js';
import type { Random } from './random.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The parts of a response that tell whose content it contains. */
interface Shown {
  id?: string | undefined;
  content?: string | undefined;
}

/** A request whose outcome is stored under its Idempotency-Key. */
interface Kept {
  /** The key that sent it. */
  key: KeyName;
  step: Step;
  response: ApiResponse;
  until: number;
}

/** An account that works randomly, with its model. */
export class Session {
  readonly model = new DocumentModel();
  readonly account: Account;
  /** The latest requests, reported when something is wrong. */
  readonly lately: string[] = [];
  private readonly operations: Operations;
  private kept: Kept[] = [];
  private keys = 0;

  constructor(
    private readonly random: Random,
    /** By key. Replicas are used in random order. */
    private readonly apis: Record<KeyName, ApiClient[]>,
    user: object,
  ) {
    this.account = { user, ids: new Map() };
    this.operations = new Operations(random, this.model, this.account.ids);
  }

  /** Sends one more request at `now`. Throws an error that describes the requests and the differences. */
  async step(now: number): Promise<void> {
    this.model.now = now;
    this.kept = this.kept.filter(({ until }) => until > now).slice(-8);
    const problems =
      this.kept.length > 0 && this.random.chance(0.1) ? await this.retry() : await this.work(now);
    if (problems.length > 0) {
      throw new Error(`${problems.join('\n')}\nafter\n${this.lately.slice(-6).join('\n')}`);
    }
  }

  private async work(now: number): Promise<string[]> {
    this.model.key = this.random.chance(0.15) ? 'writer' : 'all';
    const { events, entries } = this.model;
    const [firstEvent, firstEntry] = [events.length, entries.length];
    const step = this.operations.next();
    const isKeyed = step.method === 'POST' && !step.isRefusedUnread && this.random.chance(0.35);
    if (isKeyed) step.headers['Idempotency-Key'] = `key ${String((this.keys += 1))}`;
    const response = await this.send(step);
    const requestId = response.headers['x-request-id'] as string;
    for (const event of events.slice(firstEvent)) event.requestId = requestId;
    for (const entry of entries.slice(firstEntry)) entry.requestId = requestId;
    if (isKeyed && isStored(response))
      this.kept.push({ key: this.model.key, step, response, until: now + DAY_MS });
    return differences(step.expected, response, this.account, (ref, number) =>
      this.model.live(ref)?.versions.at(number - 1),
    );
  }

  /**
   * Expects that the same request returns the same response, and that a different one with the same key is refused.
   * Neither has an effect.
   */
  private async retry(): Promise<string[]> {
    const { key, step, response: first } = this.random.pick(this.kept);
    this.model.key = key;
    const isSame = this.random.chance(0.7);
    const response = await this.send(isSame ? step : { ...step, body: `${step.body ?? '{}'} ` });
    if (!isSame) return differing('status of another body', response.status, 422);
    const told = ({ status, headers, body }: ApiResponse) => ({
      ...{ status, data: body.data as unknown, error: withoutAddress(body.error) },
      ...{ etag: headers['etag'], location: headers['location'] },
    });
    if (this.showsRemoved(first)) return differing('replayed status', response.status, 404);
    return [
      ...differing('replayed answer', told(response), told(first)),
      ...differing('Idempotency-Replayed', response.headers['idempotency-replayed'], 'true'),
    ];
  }

  /**
   * Returns true if a response contains the content of a document that was permanently deleted since. No response may
   * show it any more.
   */
  private showsRemoved({ body }: ApiResponse): boolean {
    const { id, content, results } = (body.data ?? {}) as Shown & { results?: { data?: Shown }[] };
    const shown = [{ id, content }, ...(results ?? []).map(({ data }) => data ?? {})];
    const whole = shown.filter(({ content: text }) => text !== undefined).map((one) => one.id);
    return [...this.account.ids].some(
      ([ref, known]) => whole.includes(known) && !this.model.has(ref),
    );
  }

  private async send({ method, path, body, headers }: Step): Promise<ApiResponse> {
    this.lately.push(`${method} ${path} ${JSON.stringify(headers)} ${body ?? ''}`);
    const api = this.random.pick(this.apis[this.model.key]);
    const response = await api.send(method, `/v1/documents${path}`, {
      headers,
      ...(body === undefined ? {} : { rawBody: body }),
    });
    this.lately.push(`  ${String(response.status)} ${response.text}`);
    return response;
  }
}

/** Removes the address of the replica that responded, where an error leads to its page. */
function withoutAddress(error: unknown): unknown {
  const text = JSON.stringify(error) as string | undefined;
  return text?.replace(/"docUrl":"http:\/\/127\.0\.0\.1:\d+/g, '"docUrl":"');
}

/** True if a retry with the same key gets this response. After other refusals, such as 400, the key is free. */
function isStored({ status }: ApiResponse): boolean {
  return status < 400 || [404, 409, 412, 422].includes(status);
}
