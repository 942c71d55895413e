import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys have rate limits of their own, and crossed thresholds are events (docs/adr/0042-limits-per-key-and-thresholds.md). */
export class KeyLimits1795633000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Maximum requests per window, such as {"minute": 60, "hour": null, "day": null}; null without limits.
ALTER TABLE api_keys ADD COLUMN limits jsonb;

-- Thresholds of limits whose events were emitted, until the end of their period.
CREATE TABLE usage_thresholds (
  account_id uuid NOT NULL,
  "limit" text NOT NULL,
  threshold smallint NOT NULL,
  period timestamptz(3) NOT NULL,
  CONSTRAINT usage_thresholds_pkey PRIMARY KEY (account_id, "limit", threshold, period)
);

-- Returns the windows at a time: windows that have ended start then, with a count of 0. A window that starts in the
-- future has ended too: the clock was set back. Not '1 day', which can be 23 or 25 hours.
CREATE FUNCTION running_windows(windows rate_limit_windows, clock timestamptz) RETURNS rate_limit_windows
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
${['minute', 'hour', 'day'].map(restartEnded).join('')}
  RETURN windows;
END
$$;

-- Takes requests that count in several buckets each: as many as every window of every bucket has capacity for.
-- Input: a JSON array of {"index", "units", "buckets"}. Buckets are {"id", "minute", "hour", "day"}; a limit of null is
-- unlimited. Output: one row per request and bucket, both numbered from 0, with the columns of take_rate_limit.
CREATE FUNCTION take_rate_limits(requests json) RETURNS TABLE (
  request_index integer, bucket_index integer, admitted double precision, decided_at double precision,
  minute_used double precision, minute_resets_at double precision,
  hour_used double precision, hour_resets_at double precision,
  day_used double precision, day_resets_at double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  locked uuid;
  request record;
  bucket record;
  counters rate_limit_windows;
  taken rate_limit_windows[];
  clock timestamptz;
  granted bigint;
BEGIN
  -- Commits do not wait for the disk (see take_rate_limit). Never call this in a transaction that must be durable.
  PERFORM set_config('synchronous_commit', 'off', true);

  -- In the order of take_rate_limit, so that the two cannot deadlock.
  FOR locked IN
    SELECT DISTINCT item.id
      FROM json_to_recordset(requests) AS listed (buckets json), json_to_recordset(listed.buckets) AS item (id uuid)
     ORDER BY item.id
  LOOP
    PERFORM FROM rate_limit_windows w WHERE w.account_id = locked FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO rate_limit_windows VALUES (locked, '-infinity', 0, '-infinity', 0, '-infinity', 0)
      ON CONFLICT (account_id) DO NOTHING;
      PERFORM FROM rate_limit_windows w WHERE w.account_id = locked FOR NO KEY UPDATE;
    END IF;
  END LOOP;
  -- After the last lock. Otherwise a take that waited would use a time before the take it waited for.
  clock := date_trunc('milliseconds', clock_timestamp());

  FOR request IN
    SELECT * FROM json_to_recordset(requests) AS item (index integer, units bigint, buckets json) ORDER BY item.index
  LOOP
    granted := request.units;
    taken := '{}';
    FOR bucket IN
      SELECT * FROM json_to_recordset(request.buckets) AS item (id uuid, minute bigint, hour bigint, day bigint)
    LOOP
      SELECT * INTO counters FROM rate_limit_windows w WHERE w.account_id = bucket.id;
      counters := running_windows(counters, clock);
      taken := taken || counters;
      granted := least(granted, bucket.minute - counters.minute_count, bucket.hour - counters.hour_count,
                       bucket.day - counters.day_count);
    END LOOP;

    request_index := request.index;
    bucket_index := 0;
    admitted := greatest(0, granted);
    decided_at := extract(epoch FROM clock) * 1000;
    FOREACH counters IN ARRAY taken LOOP
      minute_used := counters.minute_count + admitted;
      hour_used := counters.hour_count + admitted;
      day_used := counters.day_count + admitted;
      IF admitted > 0 THEN
        UPDATE rate_limit_windows w
           SET minute_started_at = counters.minute_started_at, minute_count = minute_used,
               hour_started_at = counters.hour_started_at, hour_count = hour_used,
               day_started_at = counters.day_started_at, day_count = day_used
         WHERE w.account_id = counters.account_id;
      END IF;
      minute_resets_at := extract(epoch FROM counters.minute_started_at + interval '1 minute') * 1000;
      hour_resets_at := extract(epoch FROM counters.hour_started_at + interval '1 hour') * 1000;
      day_resets_at := extract(epoch FROM counters.day_started_at + interval '24 hours') * 1000;
      RETURN NEXT;
      bucket_index := bucket_index + 1;
    END LOOP;
  END LOOP;
END
$$;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP FUNCTION take_rate_limits(json), running_windows(rate_limit_windows, timestamptz);
DROP TABLE usage_thresholds;
ALTER TABLE api_keys DROP COLUMN limits;
`);
  }
}

function restartEnded(window: string): string {
  const length = window === 'day' ? '24 hours' : `1 ${window}`;
  const start = `windows.${window}_started_at`;
  return `
  IF ${start} + interval '${length}' <= clock OR ${start} > clock + interval '1 second' THEN
    ${start} := clock;
    windows.${window}_count := 0;
  END IF;`;
}
