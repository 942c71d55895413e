import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { isAllowedAddress } from './allowed-address.js';
import { guardedConnector } from './guarded-connector.js';
import { receiverUrlProblems, type ReceiverPolicy } from '../../features/webhooks/settings/receiver-url.js';
import { Exchange, type ExchangeResult } from '../../features/webhooks/delivery/exchange.js';
import { failure, type Failure } from '../../features/webhooks/delivery/failure.js';

/**
 * How long an idle connection is kept, in milliseconds. A receiver that closes one while a request is on its way breaks
 * that request; most wait five seconds, or say for how long.
 */
const IDLE_MS = 2_000;
const IDLE_MAX_MS = 15_000;
const IDLE_MARGIN_MS = 1_000;
/** URLs whose check is remembered; it takes as long as signing. */
const MAX_TARGETS = 1_000;

/** Where to post, or why not. */
type Target = { origin: string; path: string } | { refusal: Failure };

/**
 * Posts to receivers, and only to allowed addresses. Redirects are not followed, answers are not unpacked, proxies of the
 * environment are not used. Connections are kept between requests and shared by the webhooks of one origin.
 */
export class GuardedClient {
  private readonly agent: Agent;
  private readonly targets: LRUCache<string, Target>;
  private isCut = false;

  constructor(
    policy: ReceiverPolicy,
    private readonly limitMs: number,
  ) {
    this.targets = new LRUCache({ max: MAX_TARGETS, memoMethod: (url) => targetOf(url, policy) });
    const isAllowed = (address: string) => isAllowedAddress(address, policy.webhookAllowedNetworks);
    this.agent = new Agent({
      connect: guardedConnector(isAllowed, limitMs),
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
   * when the attempt does not count: {@link cutAll} came first, it failed and this process was paused meanwhile, or it had
   * not ended at `leasedUntil` (of the monotonic clock), when it is cut.
   */
  post(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
    leasedUntil: number,
  ): Promise<ExchangeResult | undefined> {
    const target = this.targets.memo(url);
    if ('refusal' in target) return Promise.resolve(nothingSent(target.refusal));
    return new Promise((resolve) => {
      const exchange = new Exchange(this.limitMs, leasedUntil, (result) => {
        resolve(this.isCut ? undefined : result);
      });
      this.agent.dispatch({ ...target, method: 'POST', headers, body }, exchange);
    });
  }

  /** Ends everything in flight, without a result. */
  cutAll(): void {
    this.isCut = true;
    void this.close();
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** The result of an attempt that failed before it began. */
export function nothingSent(refusal: Failure): ExchangeResult {
  return { status: undefined, headers: {}, body: Buffer.alloc(0), failure: refusal, durationMs: 0 };
}

/** A URL is checked again: the operator may have closed a network since the registration. */
function targetOf(url: string, policy: ReceiverPolicy): Target {
  const [problem] = receiverUrlProblems(url, policy);
  if (problem) return { refusal: failure('url_refused', problem.issue) };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}
