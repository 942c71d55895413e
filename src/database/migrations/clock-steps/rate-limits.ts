/** `take_rate_limit` with windows that begin in the future ended: a clock that went back by more counted them. */
export function withStepsBack(takeFunction: string): string {
  return takeFunction
    .replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')
    .replace(
      /IF (counters\.\w+_started_at) (\+ interval '[^']+' <= clock) THEN/g,
      `IF $1 $2 OR $1 > clock + interval '1 second' THEN`,
    );
}

/**
 * Adds what Redis counted of accounts, and tells what is counted of them in all; reads where nothing is to be added.
 *
 * Input: a JSON array of {"index", "account_id"} and, for each window, `_count` to be added and `_age` of the window it
 * was counted in, in milliseconds because the clocks differ. Output: one row an element, with the count of each running
 * window and its age, which is null where none runs.
 *
 * Of two beginnings of one window the earlier one holds. A window of Redis that begins in the last second of ours is
 * the next one: ours began a little later than the same one there, by the time that telling of it took.
 */
export const SETTLE_FUNCTION = `CREATE FUNCTION settle_rate_limit(requests json)
RETURNS TABLE (
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
$$`;

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
