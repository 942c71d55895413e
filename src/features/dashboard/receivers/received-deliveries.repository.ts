import type { Database, Statement } from '../../../platform/database/database.js';

/** Maximum number of stored deliveries per receiver. */
export const MAX_STORED = 50;
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

/** Returns the JSON text of a receiver's deliveries, newest first, with the first 16 Ki characters of each body. */
export async function listReceived(database: Database, receiverId: string): Promise<string> {
  const rows = await database.run<{ json: string }>(LIST, [receiverId]);
  return `[${rows.map(({ json }) => json).join(',')}]`;
}

/** Returns the JSON text of a delivery with its whole body. */
export async function findReceived(
  database: Database,
  receiverId: string,
  id: string,
): Promise<string | undefined> {
  return (await database.run<{ json: string }>(FIND, [receiverId, id]))[0]?.json;
}
