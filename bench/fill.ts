/** Adds documents by SQL, because adding 200,000 through the API would take minutes. */
import type pg from 'pg';
import type { SampleDocument } from './ordinary/texts.js';

/** Rows per statement. Limits how long a transaction and its triggers lock the account. */
const ROWS_PER_STATEMENT = 5_000;

export interface Owner {
  accountId: string;
  userId: string;
}

/** Documents of one account. */
export interface Filling {
  /** Ids are UUIDs. */
  owner: Owner;
  count: number;
  /** Used repeatedly: document n is samples[n % samples.length]. */
  samples: SampleDocument[];
}

/** Document n of $5 … $6 is one second older than document n + 1. $4 is the total number. */
const SAMPLES = `
  json_to_recordset($1)
    AS sample (title text, type text, content text, metadata json, "aiSettings" json,
               "wordCount" integer, number integer)
  JOIN generate_series($5::int, $6::int) AS n ON n % $7::int + 1 = sample.number,
  LATERAL (SELECT date_trunc('milliseconds', now()) - ($4::int - n) * interval '1 second' AS at) AS made`;

const FILL_BASELINE = `
INSERT INTO documents (id, account_id, title, type, content, metadata, ai_settings, word_count,
  created_by, created_at, updated_at)
SELECT uuidv7(made.at - clock_timestamp()), $2, title || ' no. ' || n, type, content, metadata,
  "aiSettings", "wordCount", $3, made.at, made.at
FROM ${SAMPLES} ORDER BY n`;

const FILL_SERVICE = `
INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata,
  ai_settings, word_count, version, created_by, created_at, updated_at)
SELECT uuidv7(made.at - clock_timestamp()), $2, title || ' no. ' || n, type, content,
  left(content, 200), 'draft', metadata, "aiSettings", "wordCount", 1, $3, made.at, made.at
FROM ${SAMPLES} ORDER BY n`;

export async function fillBaseline(client: pg.Client, filling: Filling): Promise<void> {
  await fill(client, FILL_BASELINE, filling);
}

/** The service's triggers update its totals. */
export async function fillService(client: pg.Client, filling: Filling): Promise<void> {
  await fill(client, FILL_SERVICE, filling);
}

async function fill(
  client: pg.Client,
  statement: string,
  { owner, count, samples }: Filling,
): Promise<void> {
  const records = JSON.stringify(samples.map(toRecord));
  for (let first = 1; first <= count; first += ROWS_PER_STATEMENT) {
    const last = Math.min(count, first + ROWS_PER_STATEMENT - 1);
    const range = [count, first, last, samples.length];
    await client.query(statement, [records, owner.accountId, owner.userId, ...range]);
  }
}

function toRecord(sample: SampleDocument, index: number): object {
  return { ...sample, wordCount: sample.content.match(/\S+/g)?.length ?? 0, number: index + 1 };
}
