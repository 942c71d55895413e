/**
 * The baseline for the worker: reads what to send, signs it, posts it with undici, and writes one status each, with as
 * many concurrent requests as the worker sends to one receiver. No leases, retries, records, limits or checks.
 */
import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Agent, request } from 'undici';

const AT_ONCE = 20;
const key = randomBytes(24);
const [url = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const agent = new Agent();

const { rows } = await pool.query<{ id: string; body: string }>(
  'SELECT id, body FROM loop_deliveries',
);
let next = 0;

async function sendInTurn(): Promise<void> {
  for (let row = rows[next++]; row !== undefined; row = rows[next++]) {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const body = Buffer.from(row.body);
    const hmac = createHmac('sha256', key).update(`${row.id}.${timestamp}.`).update(body);
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': row.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${hmac.digest('base64')}`,
      },
      body,
    });
    await response.body.dump();
    await pool.query({
      name: 'done',
      text: `UPDATE loop_deliveries SET status = $2, completed_at = now() WHERE id = $1`,
      values: [row.id, response.statusCode < 300 ? 'succeeded' : 'failed'],
    });
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
await Promise.all([pool.end(), agent.close()]);
