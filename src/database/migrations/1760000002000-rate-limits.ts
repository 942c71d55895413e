import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The windows of each account and the one function that takes requests from them. */
export class RateLimits1760000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(TAKE_FUNCTION);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION take_rate_limit(json)');
    await runner.query('DROP TABLE rate_limit_windows');
  }
}

// Half-empty pages: a counter's next version goes beside it and no index entry is written.
const TABLE = `CREATE TABLE rate_limit_windows (
  account_id uuid CONSTRAINT rate_limit_windows_pkey PRIMARY KEY,
  minute_started_at timestamptz(3) NOT NULL,
  minute_count bigint NOT NULL,
  hour_started_at timestamptz(3) NOT NULL,
  hour_count bigint NOT NULL,
  day_started_at timestamptz(3) NOT NULL,
  day_count bigint NOT NULL
) WITH (fillfactor = 50)`;

/**
 * Input: a JSON array of {"index", "account_id", "units", "minute", "hour", "day"}; a limit of null is unlimited.
 * Output: one row an element, with the units admitted (the first so many of them) and the windows after that; times
 * in UTC epoch milliseconds, as double precision because pg answers bigint as text.
 *
 * The row is locked first and the clock read after it: now() is the start of the transaction, and a take that waited
 * for the lock would date from before the take it waited for. LEAST ignores nulls, that is, unlimited windows.
 */
export const TAKE_FUNCTION = `CREATE FUNCTION take_rate_limit(requests json)
RETURNS TABLE (
  request_index integer, admitted double precision, decided_at double precision,
  minute_used double precision, minute_resets_at double precision,
  hour_used double precision, hour_resets_at double precision,
  day_used double precision, day_resets_at double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  request record;
  counters rate_limit_windows;
  clock timestamptz;
  granted bigint;
BEGIN
  -- No take waits for the disk. If the database itself crashes, the counts of its last fraction of a second are lost.
  -- It holds for the whole transaction: never call this function inside one that must be durable.
  PERFORM set_config('synchronous_commit', 'off', true);

  -- One order of accounts for everybody, so that takes of several accounts cannot wait for each other in a circle.
  FOR request IN
    SELECT * FROM json_to_recordset(requests)
      AS item (index integer, account_id uuid, units bigint, minute bigint, hour bigint, day bigint)
     ORDER BY item.account_id, item.index
  LOOP
    SELECT * INTO counters FROM rate_limit_windows w
     WHERE w.account_id = request.account_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO rate_limit_windows
      VALUES (request.account_id, '-infinity', 0, '-infinity', 0, '-infinity', 0)
      ON CONFLICT (account_id) DO NOTHING;
      SELECT * INTO counters FROM rate_limit_windows w
       WHERE w.account_id = request.account_id FOR NO KEY UPDATE;
    END IF;

    clock := date_trunc('milliseconds', clock_timestamp());
    IF counters.minute_started_at + interval '1 minute' <= clock THEN
      counters.minute_started_at := clock;
      counters.minute_count := 0;
    END IF;
    IF counters.hour_started_at + interval '1 hour' <= clock THEN
      counters.hour_started_at := clock;
      counters.hour_count := 0;
    END IF;
    -- Not '1 day', which is 23 or 25 hours when a session's time zone changes to or from summer time.
    IF counters.day_started_at + interval '24 hours' <= clock THEN
      counters.day_started_at := clock;
      counters.day_count := 0;
    END IF;

    granted := greatest(0, least(
      request.units,
      request.minute - counters.minute_count,
      request.hour - counters.hour_count,
      request.day - counters.day_count
    ));
    IF granted > 0 THEN
      counters.minute_count := counters.minute_count + granted;
      counters.hour_count := counters.hour_count + granted;
      counters.day_count := counters.day_count + granted;
      UPDATE rate_limit_windows w
         SET minute_started_at = counters.minute_started_at, minute_count = counters.minute_count,
             hour_started_at = counters.hour_started_at, hour_count = counters.hour_count,
             day_started_at = counters.day_started_at, day_count = counters.day_count
       WHERE w.account_id = request.account_id;
    END IF;

    request_index := request.index;
    admitted := granted;
    decided_at := extract(epoch FROM clock) * 1000;
    minute_used := counters.minute_count;
    minute_resets_at := extract(epoch FROM counters.minute_started_at + interval '1 minute') * 1000;
    hour_used := counters.hour_count;
    hour_resets_at := extract(epoch FROM counters.hour_started_at + interval '1 hour') * 1000;
    day_used := counters.day_count;
    day_resets_at := extract(epoch FROM counters.day_started_at + interval '24 hours') * 1000;
    RETURN NEXT;
  END LOOP;
END
$$`;
