import type { SchemaArea } from './schema-area.js';

/** The running windows of each account, and the functions that take from them (docs/adr/0008-rate-limits-and-quotas.md). */
export const RATE_LIMITS: SchemaArea = {
  up: `
-- A start of -infinity is a window that never began.
CREATE TABLE rate_limit_windows (
  account_id uuid CONSTRAINT rate_limit_windows_pkey PRIMARY KEY,
  minute_started_at timestamptz(3) NOT NULL,
  minute_count bigint NOT NULL,
  hour_started_at timestamptz(3) NOT NULL,
  hour_count bigint NOT NULL,
  day_started_at timestamptz(3) NOT NULL,
  day_count bigint NOT NULL
  -- Half-empty pages: a counter's next version goes beside it and no index entry is written.
) WITH (fillfactor = 50);

-- Takes requests of accounts, as many as all three windows have room for.
-- Input: a JSON array of {"index", "account_id", "units", "minute", "hour", "day"}; a limit of null is unlimited.
-- Output: one row an element, with the units admitted (the first so many of them) and the windows after that; times in
-- UTC epoch milliseconds, as double precision because pg answers bigint as text.
--
-- The row is locked first and the clock read after it: now() is the start of the transaction, and a take that waited
-- for the lock would date from before the take it waited for. A window that begins in the future has ended too: a clock
-- that went back by more counted it. LEAST ignores nulls, that is, unlimited windows.
CREATE FUNCTION take_rate_limit(requests json) RETURNS TABLE (
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
    IF counters.minute_started_at + interval '1 minute' <= clock
       OR counters.minute_started_at > clock + interval '1 second' THEN
      counters.minute_started_at := clock;
      counters.minute_count := 0;
    END IF;
    IF counters.hour_started_at + interval '1 hour' <= clock
       OR counters.hour_started_at > clock + interval '1 second' THEN
      counters.hour_started_at := clock;
      counters.hour_count := 0;
    END IF;
    -- Not '1 day', which is 23 or 25 hours when a session's time zone changes to or from summer time.
    IF counters.day_started_at + interval '24 hours' <= clock
       OR counters.day_started_at > clock + interval '1 second' THEN
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
$$;

-- Adds what Redis counted of accounts, and tells what is counted of them in all; reads where nothing is to be added.
-- Input: a JSON array of {"index", "account_id"} and, for each window, "_count" to be added and "_age" of the window it
-- was counted in, in milliseconds because the clocks differ. Output: one row an element, with the count of each running
-- window and its age in milliseconds, which is null where none runs.
--
-- Of two beginnings of one window the earlier one holds. A window of Redis that begins in the last second of ours is
-- the next one: ours began a little later than the same one there, by the time that telling of it took.
CREATE FUNCTION settle_rate_limit(requests json) RETURNS TABLE (
  request_index integer,
  minute_used double precision, minute_age double precision,
  hour_used double precision, hour_age double precision,
  day_used double precision, day_age double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  item record;
  counters rate_limit_windows;
  clock timestamptz;
  begun timestamptz;
  runs boolean;
BEGIN
  -- As in take_rate_limit: no wait for the disk, one order of accounts, and the clock is read after the lock.
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR item IN
    SELECT * FROM json_to_recordset(requests) AS asked (index integer, account_id uuid,
             minute_count bigint, minute_age double precision, hour_count bigint, hour_age double precision,
             day_count bigint, day_age double precision)
     ORDER BY asked.account_id, asked.index
  LOOP
    IF greatest(item.minute_count, item.hour_count, item.day_count) > 0 THEN
      INSERT INTO rate_limit_windows
      VALUES (item.account_id, '-infinity', 0, '-infinity', 0, '-infinity', 0)
      ON CONFLICT (account_id) DO NOTHING;
    END IF;
    SELECT * INTO counters FROM rate_limit_windows w
     WHERE w.account_id = item.account_id FOR NO KEY UPDATE;
    clock := date_trunc('milliseconds', clock_timestamp());
${settleWindow('minute', '1 minute')}
${settleWindow('hour', '1 hour')}
${settleWindow('day', '24 hours')}
    IF greatest(item.minute_count, item.hour_count, item.day_count) > 0 THEN
      UPDATE rate_limit_windows w
         SET minute_started_at = counters.minute_started_at, minute_count = counters.minute_count,
             hour_started_at = counters.hour_started_at, hour_count = counters.hour_count,
             day_started_at = counters.day_started_at, day_count = counters.day_count
       WHERE w.account_id = item.account_id;
    END IF;
    request_index := item.index;
    RETURN NEXT;
  END LOOP;
END
$$;
`,
  down: `
DROP FUNCTION settle_rate_limit(json), take_rate_limit(json);
DROP TABLE rate_limit_windows;
`,
};

/** One window of `settle_rate_limit`: all three are settled alike. */
function settleWindow(name: string, length: string): string {
  const started = `counters.${name}_started_at`;
  return `
    runs := coalesce(${started} + interval '${length}' > clock AND ${started} <= clock + interval '1 second', false);
    begun := clock - item.${name}_age * interval '1 millisecond';
    IF item.${name}_count > 0 AND begun + interval '${length}' > clock THEN
      IF NOT runs OR begun >= ${started} + interval '${length}' - interval '1 second' THEN
        ${started} := begun;
        counters.${name}_count := 0;
        runs := true;
      END IF;
      ${started} := least(${started}, begun);
      counters.${name}_count := counters.${name}_count + item.${name}_count;
    END IF;
    ${name}_used := CASE WHEN runs THEN counters.${name}_count ELSE 0 END;
    ${name}_age := CASE WHEN runs THEN extract(epoch FROM clock - ${started}) * 1000 END;`;
}
