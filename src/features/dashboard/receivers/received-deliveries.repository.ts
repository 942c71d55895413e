import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { Signature } from './entities/test-receiver.entity.js';

/** Maximum number of stored deliveries per receiver. */
const MAX_STORED = 50;
/** Maximum number of accepted deliveries per second. */
export const MAX_PER_SECOND = 10;
/** Maximum characters of a body in a list. All fifty bodies have up to 12.5 MiB. */
const MAX_EXCERPT = 16 * 1024;

const ISO_TIME = `to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for the JSON text of a delivery, so that this process neither parses nor writes its headers and body. */
const jsonWith = (body: string) => `json_build_object('id', id, 'receivedAt', ${ISO_TIME},
  'eventType', event_type, 'headers', headers, 'body', ${body},
  'isBodyTruncated', octet_length(${body}) < octet_length(body), 'signature', signature)::text`;

const LIST: Statement = {
  name: 'receivers.deliveries',
  text: `SELECT ${jsonWith(`left(body, ${String(MAX_EXCERPT)})`)} AS json
           FROM received_deliveries WHERE receiver_id = $1
          ORDER BY received_at DESC, id DESC LIMIT ${String(MAX_STORED)}`,
};

const FIND: Statement = {
  name: 'receivers.delivery',
  text: `SELECT ${jsonWith('body')} AS json FROM received_deliveries WHERE receiver_id = $1 AND id = $2`,
};

/** Stores a delivery to a locked receiver. Returns no row if the last second was full. */
const RECEIVE: Statement = {
  name: 'receivers.receive',
  text: `WITH capacity AS (
      SELECT FROM received_deliveries WHERE receiver_id = $2 AND received_at > $3::timestamptz - interval '1 second'
      HAVING count(*) < ${String(MAX_PER_SECOND)}
    ), surplus AS (
      DELETE FROM received_deliveries WHERE id IN (
        SELECT id FROM received_deliveries WHERE receiver_id = $2
         ORDER BY received_at DESC, id DESC OFFSET ${String(MAX_STORED - 1)})
         AND EXISTS (SELECT FROM capacity)
    )
    INSERT INTO received_deliveries (id, receiver_id, received_at, event_type, headers, body, signature)
    SELECT $1, $2, $3, $4, $5, $6, $7 FROM capacity
    RETURNING id`,
};

/** Values of a delivery: ID, receiver, time, event type, headers (JSON text), body and signature. */
type Received = readonly [string, string, Date, string | null, string, string, Signature];

/** Deliveries that test receivers have stored. */
@Injectable()
export class ReceivedDeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the JSON text of a receiver's deliveries, newest first, with the first 16 Ki characters of each body. */
  async list(receiverId: string): Promise<string> {
    const rows = await this.database.run<{ json: string }>(LIST, [receiverId]);
    return `[${rows.map(({ json }) => json).join(',')}]`;
  }

  /** Returns the JSON text of a delivery with its whole body. */
  async find(receiverId: string, id: string): Promise<string | undefined> {
    return (await this.database.run<{ json: string }>(FIND, [receiverId, id]))[0]?.json;
  }

  /** Stores a delivery to a locked receiver. Returns false if too many came in the last second. */
  async insert(delivery: Received): Promise<boolean> {
    return (await this.database.run(RECEIVE, [...delivery])).length === 1;
  }
}
