import { Injectable, Optional } from '@nestjs/common';
import { isLocalForm, LocalReceivers } from '../settings/local-receivers.js';
import type { ClaimedDelivery } from './delivery.repository.js';
import type { ExchangeResult } from './exchange.js';
import { statusFailure } from './failure.js';
import { GuardedClient } from '../../../platform/network/guarded-client.js';

/** The signed request of one attempt. */
export interface DeliveryRequest {
  headers: Record<string, string>;
  /** The same as they are kept and shown: what the webhook's own headers say is masked. */
  shownHeaders: Record<string, string>;
  body: Buffer;
}

/** Brings a request to its receiver: over the network, or to one of the account's own within the service. */
@Injectable()
export class DeliveryTransport {
  constructor(
    private readonly client: GuardedClient,
    @Optional() private readonly local?: LocalReceivers,
  ) {}

  /** What became of it; `undefined` when the attempt does not count, as {@link GuardedClient.post} says. */
  async exchange(
    delivery: Pick<ClaimedDelivery, 'accountId' | 'url'>,
    request: DeliveryRequest,
    leasedUntil: number,
  ): Promise<ExchangeResult | undefined> {
    return (
      (await this.withinTheService(delivery, request)) ??
      (await this.client.post(delivery.url, request.headers, request.body, leasedUntil))
    );
  }

  /** Ends everything in flight, without a result. */
  cutAll(): void {
    this.client.cutAll();
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.client.close();
  }

  private async withinTheService(
    { accountId, url }: Pick<ClaimedDelivery, 'accountId' | 'url'>,
    request: DeliveryRequest,
  ): Promise<ExchangeResult | undefined> {
    if (!isLocalForm(url)) return undefined;
    const started = performance.now();
    const status = await this.local?.deliver(accountId, url, {
      headers: lowerCased(request.shownHeaders),
      body: request.body,
    });
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

/** A receiver of the service keeps what it gets, and so gets no value of a header that is a secret. */
function lowerCased(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
