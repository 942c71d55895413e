import { Agent } from 'undici';
import { receiverUrlProblems, type ReceiverPolicy } from '../receiver-url.js';
import { Exchange, type ExchangeResult } from './exchange.js';
import { failure, type Failure } from './failure.js';
import { guardedConnector } from './guarded-connector.js';
import { UnderWay } from './under-way.js';

/**
 * A receiver that closes an idle connection while the next request is on its way breaks that request. Most wait five
 * seconds or say for how long; we are done before.
 */
const IDLE_MS = 2_000;
const IDLE_MAX_MS = 15_000;
const IDLE_MARGIN_MS = 1_000;
/** URLs that are kept judged and taken apart; that takes as long as signing. */
const MAX_TARGETS = 1_000;

/** Where to post, or why not. */
type Target = { origin: string; path: string } | { refusal: Failure };

/**
 * Posts to receivers. Redirects are not followed, answers are not unpacked, proxies of the environment are not used.
 * Connections are kept between requests and shared by the webhooks of one origin.
 */
export class ReceiverClient {
  private readonly agent: Agent;
  private readonly underWay = new UnderWay<Exchange>();
  private readonly targets = new Map<string, Target>();

  constructor(
    private readonly policy: ReceiverPolicy,
    private readonly limitMs: number,
  ) {
    this.agent = new Agent({
      connect: guardedConnector(policy.webhookAllowedNetworks, limitMs),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MAX_MS,
      keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
      // The exchange has one limit for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Posts `body` and resolves when the answer has ended or the time is over; never rejects. Resolves with `undefined`
   * when {@link cutAll} came first, or it failed while this process was paused.
   */
  post(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<ExchangeResult | undefined> {
    const target = this.targetOf(url);
    if ('refusal' in target) return Promise.resolve(nothingSent(target.refusal));
    return new Promise((resolve) => {
      const exchange = new Exchange(this.limitMs, (result) => {
        this.underWay.remove(place);
        resolve(result);
      });
      const place = this.underWay.add(exchange);
      this.agent.dispatch({ ...target, method: 'POST', headers, body }, exchange);
    });
  }

  /** Ends everything that is under way, without a result. */
  cutAll(): void {
    for (const exchange of this.underWay) exchange.cut();
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.agent.destroy();
  }

  private targetOf(url: string): Target {
    const known = this.targets.get(url);
    if (known !== undefined) return known;
    if (this.targets.size >= MAX_TARGETS) this.targets.clear();
    const target = this.judge(url);
    this.targets.set(url, target);
    return target;
  }

  /** Refused is also what the operator has closed since the registration. */
  private judge(url: string): Target {
    const [problem] = receiverUrlProblems(url, this.policy);
    if (problem) return { refusal: failure('url_refused', problem.issue) };
    const { origin, pathname, search } = new URL(url);
    return { origin, path: pathname + search };
  }
}

/** The result of an attempt that failed before it began. */
export function nothingSent(refusal: Failure): ExchangeResult {
  return { status: undefined, headers: {}, body: Buffer.alloc(0), failure: refusal, durationMs: 0 };
}
