import type { DataSource } from 'typeorm';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';

/** These tests act as the workers. */
export const WITHOUT_WORKER = { environment: { PROCESS_ROLE: 'api' } };

/** Registers a webhook, by default for all events, and returns its id. */
export async function register(api: ApiClient, body: object = {}): Promise<string> {
  const registered = await api.registerWebhook({
    url: 'https://example.com/webhooks',
    events: ['*'],
    secret: 'correct horse battery staple',
    ...body,
  });
  expect(registered.status).toBe(201);
  return (registered.body.data as { id: string }).id;
}

/** Creates documents, and thereby events. Returns the ids. */
export async function create(api: ApiClient, count = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const created = await api.createDocument({ title: `Document ${String(index)}` });
    ids.push((created.body.data as { id: string }).id);
  }
  return ids;
}

export interface Listed {
  id: string;
  status: string;
  eventType: string;
  eventId: string;
  attemptCount: number;
  nextAttemptAt: string | null;
}

export async function deliveriesOf(api: ApiClient, webhook: string): Promise<Listed[]> {
  const { body } = await api.listDeliveries(webhook, { limit: 100, order: 'asc' });
  return body.data as Listed[];
}

/** Writes an attempt as a worker does: the request and its outcome. */
export async function attempt(
  dataSource: DataSource,
  deliveryId: string,
  outcome: 'succeeded' | 'failed' | 'pending',
  waitMinutes = 5,
): Promise<void> {
  const responded = outcome === 'succeeded';
  await dataSource.query(
    `WITH delivery AS (
       UPDATE webhook_deliveries SET status = $2, attempts = attempts + 1,
              completed_at = CASE WHEN $2 = 'pending' THEN NULL ELSE now() END,
              next_attempt_at = next_attempt_at + $4 * interval '1 minute',
              lease_generation = lease_generation + 1
        WHERE id = $1 RETURNING id, attempts)
     INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, duration_ms, request_headers,
       response_status, response_headers, response_excerpt, error_class, error_message)
     SELECT id, attempts, '2026-03-01T12:00:00Z', 42, '{"webhook-id":"evt_x"}',
            CASE WHEN $3 THEN 200 END, CASE WHEN $3 THEN '{"content-type":"text/plain"}'::json END,
            CASE WHEN $3 THEN 'ok' END, CASE WHEN $3 THEN NULL ELSE 'connect_refused' END,
            CASE WHEN $3 THEN NULL ELSE 'Nothing listens there.' END
       FROM delivery`,
    [decodeId('delivery', deliveryId), outcome, responded, waitMinutes],
  );
}

/** Returns a row of a table, for data without a route. */
export async function row(
  dataSource: DataSource,
  table: 'webhooks' | 'webhook_deliveries',
  id: string,
): Promise<Record<string, unknown>> {
  const kind = table === 'webhooks' ? 'webhook' : 'delivery';
  const [found] = await dataSource.query<Record<string, unknown>[]>(
    `SELECT * FROM ${table} WHERE id = $1`,
    [decodeId(kind, id)],
  );
  if (!found) throw new Error(`There is no ${kind} ${id}.`);
  return found;
}
