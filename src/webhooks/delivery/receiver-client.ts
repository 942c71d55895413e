import { Agent } from 'undici';
import { receiverUrlProblems, type ReceiverPolicy } from '../receiver-url.js';
import { Exchange, type ExchangeResult } from './exchange.js';
import { failure, type Failure } from './failure.js';
import { guardedConnector } from './guarded-connector.js';

/**
 * A receiver that closes an idle connection while the next request is on its way breaks that request. Most wait five
 * seconds or say for how long; we are done before.
 */
const IDLE_MS = 2_000;
const IDLE_MAX_MS = 15_000;
const IDLE_MARGIN_MS = 1_000;

/**
 * Posts to receivers. Redirects are not followed, answers are not unpacked, proxies of the environment are not used.
 * Connections are kept between requests and shared by the webhooks of one origin.
 */
export class ReceiverClient {
  private readonly agent: Agent;
  private readonly underWay = new Set<Exchange>();

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
   * when {@link cutAll} came first.
   */
  post(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<ExchangeResult | undefined> {
    const refusal = this.refusalOf(url);
    if (refusal) return Promise.resolve(nothingSent(refusal));
    return new Promise((resolve) => {
      const exchange = new Exchange(this.limitMs, (result) => {
        this.underWay.delete(exchange);
        resolve(result);
      });
      this.underWay.add(exchange);
      const { origin, pathname, search } = new URL(url);
      this.agent.dispatch(
        { origin, path: pathname + search, method: 'POST', headers, body },
        exchange,
      );
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

  /** What the operator has closed since the registration. */
  private refusalOf(url: string): Failure | undefined {
    const [problem] = receiverUrlProblems(url, this.policy);
    return problem && failure('url_refused', problem.issue);
  }
}

/** The result of an attempt that failed before it began. */
export function nothingSent(refusal: Failure): ExchangeResult {
  return { status: undefined, headers: {}, body: Buffer.alloc(0), failure: refusal, durationMs: 0 };
}
