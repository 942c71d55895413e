import type { Call } from '../call.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../transport.js';
import type { Query, Schemas, Webhook } from '../types.js';
import { Resource } from './resource.js';

export class Webhooks extends Resource {
  readonly deliveries = new WebhookDeliveries(this.api);

  /** Only this response contains a generated secret. */
  create(
    body: Schemas['RegisterWebhook'],
    options?: RequestOptions,
  ): Call<Schemas['RegisteredWebhook']> {
    return this.api.request('POST', '/v1/webhooks', { body, ...options });
  }

  list(query?: Query<'listWebhooks'>, options?: RequestOptions): List<Webhook> {
    return this.api.list('/v1/webhooks', { query, ...options });
  }

  get(id: string, options?: RequestOptions): Call<Webhook> {
    return this.api.request('GET', '/v1/webhooks/{id}', { path: { id }, ...options });
  }

  update(id: string, body: Schemas['PatchWebhook'], options?: RequestOptions): Call<Webhook> {
    return this.api.request('PATCH', '/v1/webhooks/{id}', { path: { id }, body, ...options });
  }

  delete(id: string, options?: RequestOptions): Call<Schemas['DeletedWebhook']> {
    return this.api.request('DELETE', '/v1/webhooks/{id}', { path: { id }, ...options });
  }

  /** Sends a `webhook.test` event. */
  test(id: string, options?: RequestOptions): Call<Schemas['Delivery']> {
    return this.api.request('POST', '/v1/webhooks/{id}/test', { path: { id }, ...options });
  }

  /** Replaces the secret. The previous secret also signs for 24 hours. */
  rotateSecret(
    id: string,
    body: Schemas['RotateSecret'] = {},
    options?: RequestOptions,
  ): Call<Schemas['RotatedSecret']> {
    const parts = { path: { id }, body, ...options };
    return this.api.request('POST', '/v1/webhooks/{id}/rotate-secret', parts);
  }

  /** Resends deliveries that failed or were cancelled since a time. */
  recover(
    id: string,
    body: Schemas['Recover'],
    options?: RequestOptions,
  ): Call<Schemas['Recovery']> {
    return this.api.request('POST', '/v1/webhooks/{id}/recover', {
      path: { id },
      body,
      ...options,
    });
  }
}

export class WebhookDeliveries extends Resource {
  list(
    id: string,
    query?: Query<'listDeliveries'>,
    options?: RequestOptions,
  ): List<Schemas['Delivery']> {
    return this.api.list('/v1/webhooks/{id}/deliveries', { path: { id }, query, ...options });
  }

  /** Returns the delivery with all its attempts. */
  get(
    id: string,
    deliveryId: string,
    options?: RequestOptions,
  ): Call<Schemas['DeliveryWithAttempts']> {
    const parts = { path: { id, deliveryId }, ...options };
    return this.api.request('GET', '/v1/webhooks/{id}/deliveries/{deliveryId}', parts);
  }

  redeliver(id: string, deliveryId: string, options?: RequestOptions): Call<Schemas['Delivery']> {
    const parts = { path: { id, deliveryId }, ...options };
    return this.api.request('POST', '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', parts);
  }
}

/** The deliveries of all webhooks. */
export class Deliveries extends Resource {
  list(query?: Query<'listAllDeliveries'>, options?: RequestOptions): List<Schemas['Delivery']> {
    return this.api.list('/v1/deliveries', { query, ...options });
  }
}
