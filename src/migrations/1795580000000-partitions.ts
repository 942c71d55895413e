import type { MigrationInterface, QueryRunner } from 'typeorm';
import { originalOf } from './1795550000000-counters-without-waits.js';
import { DASHBOARD } from './first-schema/dashboard.js';
import { WEBHOOK_CLAIMS } from './1795550000001-webhook-claims.js';

/** The partitioned tables with the column that partitions them, in the order in which transactions lock them. */
const TABLES = [
  ['events', 'id'],
  ['webhook_deliveries', 'id'],
  ['webhook_delivery_attempts', 'delivery_id'],
  ['request_log', 'id'],
] as const;
const NAMES = TABLES.map(([table]) => table).join(', ');
const ROWS = TABLES.map(([table, key]) => `('${table}', '${key}')`).join(', ');

/** Locks all tables, or gives up soon: each wait stops everyone else for that long, so all together take under a second. */
const LOCK = `SET LOCAL lock_timeout = '150ms'; LOCK TABLE ${NAMES} IN ACCESS EXCLUSIVE MODE`;

/**
 * First of three transactions that turn a table into the first partition of a new one
 * (docs/adr/0032-partitions.md). Limits the IDs of the table to those of the next seven days. Existing rows are not
 * checked yet.
 */
export class PartitionBounds1795580000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    await runner.query(`
-- The smallest UUIDv7 of a time.
CREATE FUNCTION smallest_id(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- The time of a UUIDv7.
CREATE FUNCTION id_time(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint / 1000.0)
$$;

DO $$
DECLARE parent text; key text; newest uuid;
BEGIN
  FOR parent, key IN VALUES ${ROWS} LOOP
    EXECUTE format('SELECT %I FROM %I ORDER BY 1 DESC LIMIT 1', key, parent) INTO newest;
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT partition_bound CHECK (%I < %L) NOT VALID', parent, key,
      smallest_id(date_trunc('day', greatest(now(), id_time(newest)), 'UTC') + interval '8 days'));
  END LOOP;
END
$$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of TABLES) {
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT partition_bound`);
    }
    await runner.query('DROP FUNCTION smallest_id(timestamptz), id_time(uuid)');
  }
}

/** Checks the existing rows. Reads and writes continue. */
export class CheckedBounds1795580000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table] of TABLES) {
      await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT partition_bound`);
    }
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** SQL that widens the range from `low` to `high` by the IDs of an array. */
const widen = (source: string) =>
  `SELECT least(low, (array_agg(id ORDER BY id))[1]), greatest(high, (array_agg(id ORDER BY id DESC))[1]) INTO low, high FROM ${source};`;

/**
 * Changes of functions, as `old => new`. They find deliveries by ID, because a `ctid` is no longer unique in the table,
 * and between the smallest and the largest one, so that PostgreSQL opens one or two partitions and not all.
 */
const CHANGES = {
  claim_webhook_deliveries: `
leases webhook_deliveries[]; => leases webhook_deliveries[]; low uuid; high uuid;
chosen tid[] => chosen uuid[]
SELECT coalesce(array_agg(delivery.id) => ${widen('webhook_claims, unnest(delivery_ids) AS id WHERE webhook_id = hook.id')} SELECT coalesce(array_agg(delivery.id)
delivery.completed_at IS NULL => delivery.id BETWEEN low AND high AND delivery.completed_at IS NULL
SELECT ctid AS row, sequence => SELECT id AS row, sequence
PERFORM set_config('enable_indexscan', 'off', true); => ${widen('unnest(chosen) AS id')}
PERFORM set_config('enable_indexscan', 'on', true); => -- Which deliveries are in flight.
SELECT ctid AS row FROM => SELECT id AS row FROM
WHERE ctid = ANY (chosen) => WHERE id BETWEEN low AND high AND id = ANY (chosen)
WHERE ctid = ANY (ARRAY => WHERE id BETWEEN low AND high AND id = ANY (ARRAY
WHERE id = ANY (claim.delivery_ids) => WHERE id BETWEEN low AND high AND id = ANY (claim.delivery_ids)`,
  settle_webhook_deliveries: `
written uuid[]; => written uuid[]; ids uuid[] := ARRAY(SELECT (item->>'deliveryId')::uuid FROM json_array_elements(settled) AS item);
WHERE id = ANY (ARRAY(SELECT "deliveryId" FROM item)) ORDER BY => WHERE id = ANY (ids) ORDER BY
WHERE delivery.id = ANY (ARRAY => WHERE delivery.id = ANY (ids) AND delivery.id = ANY (ARRAY`,
  // Deliveries go with their events. They have no index of accounts.
  remove_account_rows: `
AND class.relname NOT IN ('audit_log' => AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = class.oid AND inhparent = 'webhook_deliveries'::regclass) AND class.relname NOT IN ('audit_log'`,
};

const changed = (name: keyof typeof CHANGES) =>
  CHANGES[name].split('\n').reduce((sql, line) => {
    const [old = '', by = ''] = line.split(' => ');
    if (!sql.includes(old)) throw new Error(`The function ${name} does not contain: ${old}`);
    return sql.replace(old, by);
  }, original(name));

const original = (name: string) => originalOf(WEBHOOK_CLAIMS + DASHBOARD.up, name);

/** Makes each table the first partition of a new one with the same name, and defines how partitions are added and dropped. */
export class Partitions1795580000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    await runner.query(`
-- The partitions of a table in the order of IDs. The first has no lower bound, the last no upper one, and there are no
-- gaps, so that every ID has a place.
CREATE FUNCTION partitions_of(parent text) RETURNS TABLE (name text, lower uuid, upper uuid) LANGUAGE sql STABLE AS $$
  SELECT relname::text, substring(pg_get_expr(relpartbound, oid) FROM 'FROM \\(''([^'']+)')::uuid,
         substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''([^'']+)')::uuid
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = parent::regclass
   ORDER BY 2 NULLS FIRST
$$;

-- The storage parameters of a partition, which its successors inherit from nobody.
CREATE FUNCTION partition_options(name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce('WITH (' || array_to_string(reloptions, ', ') || ')', '') FROM pg_class WHERE oid = name::regclass
$$;

DO $$
DECLARE parent text; key text; old text; bound uuid; taken bigint; definitions text[]; definition text;
BEGIN
  FOR parent, key IN VALUES ${ROWS} LOOP
    old := parent || '_first';
    SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''')::uuid INTO bound
      FROM pg_constraint WHERE conrelid = parent::regclass AND conname = 'partition_bound';
    SELECT array_agg(text) INTO definitions FROM (
      SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', parent, conname, pg_get_constraintdef(oid)) AS text
        FROM pg_constraint WHERE conrelid = parent::regclass AND contype = 'p'
      UNION ALL
      SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = parent::regclass AND NOT indisprimary
      UNION ALL
      SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = parent::regclass AND NOT tgisinternal
      UNION ALL
      SELECT format('GRANT %s ON %I TO %s', privilege_type, parent,
                    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
        FROM pg_class, aclexplode(relacl) WHERE oid = parent::regclass AND grantee <> relowner) AS all_of_them;
    FOR definition IN
      SELECT format('DROP TRIGGER %I ON %I', tgname, parent) FROM pg_trigger
       WHERE tgrelid = parent::regclass AND NOT tgisinternal
      UNION ALL
      SELECT format('ALTER INDEX %I RENAME TO %I', relname, relname || '_first')
        FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = parent::regclass
    LOOP EXECUTE definition; END LOOP;
    IF parent = 'webhook_deliveries' THEN
      SELECT last_value INTO taken FROM webhook_deliveries_sequence_seq;
      ALTER TABLE webhook_deliveries ALTER sequence DROP IDENTITY;
    END IF;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, old);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%I)', parent, old, key);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT partition_bound', parent);
    IF parent = 'webhook_deliveries' THEN
      ALTER TABLE webhook_deliveries ALTER sequence ADD GENERATED BY DEFAULT AS IDENTITY;
      PERFORM setval('webhook_deliveries_sequence_seq', taken);
    ELSIF parent = 'events' THEN
      ALTER SEQUENCE events_position_seq OWNED BY events.position;
    END IF;
    FOREACH definition IN ARRAY definitions LOOP EXECUTE definition; END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, old, bound);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT partition_bound', old);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (MAXVALUE) %s',
      parent || '_' || to_char(id_time(bound) AT TIME ZONE 'UTC', 'YYYYMMDD'), parent, bound, partition_options(old));
  END LOOP;
END
$$;

-- Splits the last partition of a table if it begins within a quarter of a width: a day for a retention of up to seven
-- days, a week for up to 35, two weeks for up to 70, and so on. It is still empty then, except for rows whose clock was
-- ahead, which stay last. Waits half a second at most. Returns whether to call it again. Runs as its owner, because the
-- service may not own the tables.
CREATE FUNCTION add_partition(parent text, days integer) RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT SET lock_timeout = '500ms'
AS $$
DECLARE width integer := 86400 * CASE WHEN days <= 7 THEN 1 ELSE 7 * ceil(days / 35.0) END;
  key text := CASE parent WHEN 'webhook_delivery_attempts' THEN 'delivery_id' ELSE 'id' END; last record;
  starts timestamptz; next text;
BEGIN
  IF NOT has_table_privilege(session_user, parent, 'DELETE') OR NOT pg_try_advisory_xact_lock(4713, hashtext(parent)) THEN
    RETURN false;
  END IF;
  SELECT * INTO last FROM partitions_of(parent) WHERE upper IS NULL;
  IF last.lower > smallest_id(now() + width * interval '0.25 seconds') THEN RETURN false; END IF;
  starts := to_timestamp((floor(extract(epoch FROM greatest(now(), id_time(last.lower))) / width) + 1) * width);
  next := parent || '_' || to_char(starts AT TIME ZONE 'UTC', 'YYYYMMDD');
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent);
  EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, last.name);
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (MAXVALUE) %s',
    next, parent, smallest_id(starts), partition_options(last.name));
  EXECUTE format('WITH later AS (DELETE FROM %I WHERE %I >= %L RETURNING *) INSERT INTO %I SELECT * FROM later',
    last.name, key, smallest_id(starts), next);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    parent, last.name, last.lower, smallest_id(starts));
  RETURN true;
END
$$;

-- Drops the partitions of a table that ended "days" ago, lowers the totals and raises the horizons of events, in one
-- transaction: no statement sees rows without their total. What is still needed moves to the first partition: pending
-- deliveries, their attempts and their events. Drop deliveries first, then attempts, then events. The first partition is
-- written anew, unless much of it is needed; then single rows are deleted from it as they expire. Returns whether it
-- dropped something.
CREATE FUNCTION drop_partitions(parent text, days integer) RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT SET lock_timeout = '500ms'
AS $$
DECLARE names text[]; bound uuid; rows text; old text; needed text; answer bigint;
  first text := parent || '_first'; target text := parent || '_kept';
BEGIN
  IF NOT has_table_privilege(session_user, parent, 'DELETE') OR NOT pg_try_advisory_xact_lock(4713, hashtext(parent)) THEN
    RETURN false;
  END IF;
  SELECT array_agg(name), (array_agg(upper ORDER BY upper DESC))[1] INTO names, bound FROM partitions_of(parent)
   WHERE upper <= smallest_id(now() - days * interval '1 day')
     AND (parent NOT IN ('events', 'webhook_delivery_attempts')
          OR upper <= (SELECT upper FROM partitions_of('webhook_deliveries') LIMIT 1));
  IF names IS NULL THEN RETURN false; END IF;
  needed := CASE parent
    WHEN 'webhook_deliveries' THEN 'status = ''pending'' AND EXISTS (SELECT FROM webhooks WHERE webhooks.id = webhook_id)'
    WHEN 'webhook_delivery_attempts' THEN format('delivery_id IN (SELECT id FROM webhook_deliveries WHERE id < %L)', bound)
    WHEN 'events' THEN format('id IN (SELECT event_id FROM webhook_deliveries WHERE event_id < %L)', bound)
    ELSE 'false' END;
  EXECUTE format('SELECT count(*) FROM (SELECT FROM %I WHERE %s LIMIT 10001) AS item', first, needed) INTO answer;
  IF answer > 10000 THEN
    names := array_remove(names, first);
    target := first;
  ELSIF cardinality(names) = 1 THEN
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %I WHERE (%s) IS NOT TRUE LIMIT 1) AS item', first, needed) INTO answer;
    IF answer = 0 THEN RETURN false; END IF;
  END IF;
  IF cardinality(names) = 0 THEN RETURN false; END IF;
  SELECT string_agg(format('SELECT * FROM %I', name), ' UNION ALL ') INTO rows FROM unnest(names) AS name;
  IF parent IN ('events', 'request_log') THEN
    -- Counting takes a second per some million rows. Until the end, only writers of these old rows wait.
    FOREACH old IN ARRAY names LOOP EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', old); END LOOP;
    EXECUTE format('INSERT INTO row_counts AS totals (account_id, kind, slot, count)
      SELECT account_id, %L, row_count_slot(), -count(*) FROM (%s) AS item WHERE (%s) IS NOT TRUE GROUP BY 1
      ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count', parent, rows, needed);
  END IF;
  IF parent = 'events' THEN
    EXECUTE format('INSERT INTO event_horizons AS horizon (account_id, position)
      SELECT account_id, max(position) FROM (%s) AS item WHERE (%s) IS NOT TRUE GROUP BY 1 ORDER BY 1
      ON CONFLICT (account_id) DO UPDATE SET position = EXCLUDED.position WHERE horizon.position < EXCLUDED.position',
      rows, needed);
  END IF;
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent);
  IF target = first THEN
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, first);
  ELSE
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING IDENTITY) %s', target, parent, partition_options(first));
  END IF;
  EXECUTE format('INSERT INTO %I SELECT * FROM (%s) AS item WHERE %s', target, rows, needed);
  FOREACH old IN ARRAY names LOOP EXECUTE format('DROP TABLE %I', old); END LOOP;
  IF target <> first THEN EXECUTE format('ALTER TABLE %I RENAME TO %I', target, first); END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, first, bound);
  RETURN true;
END
$$;
`);
    for (const name of Object.keys(CHANGES)) {
      await runner.query(changed(name as keyof typeof CHANGES));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(CHANGES)) {
      await runner.query(original(name));
    }
    await runner.query(`
DO $$
DECLARE parent text; key text; part record; bound uuid; taken bigint; definitions text[]; definition text;
BEGIN
  FOR parent, key IN VALUES ${ROWS} LOOP
    SELECT name, upper INTO part FROM partitions_of(parent) LIMIT 1;
    -- The indexes of the first partition get their names back.
    SELECT array_agg(text) INTO definitions FROM (
      SELECT format('ALTER INDEX %I RENAME TO %I', child.relname, whole.relname) AS text
        FROM pg_inherits JOIN pg_index ON indexrelid = inhrelid JOIN pg_class AS child ON child.oid = inhrelid
        JOIN pg_class AS whole ON whole.oid = inhparent
       WHERE indrelid = part.name::regclass
      UNION ALL
      SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = parent::regclass AND NOT tgisinternal) AS all_of_them;
    EXECUTE format('SELECT greatest(smallest_id(now()), (SELECT %1$I FROM %2$I ORDER BY 1 DESC LIMIT 1))', key, parent) INTO bound;
    FOR part IN SELECT * FROM partitions_of(parent) LOOP
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, part.name);
      IF part.lower IS NOT NULL THEN
        EXECUTE format('INSERT INTO %I SELECT * FROM %I', parent || '_first', part.name);
        EXECUTE format('DROP TABLE %I', part.name);
      END IF;
    END LOOP;
    IF parent = 'webhook_deliveries' THEN
      SELECT last_value INTO taken FROM webhook_deliveries_sequence_seq;
    ELSIF parent = 'events' THEN
      ALTER SEQUENCE events_position_seq OWNED BY events_first.position;
    END IF;
    EXECUTE format('DROP TABLE %I', parent);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent || '_first', parent);
    FOREACH definition IN ARRAY definitions LOOP EXECUTE definition; END LOOP;
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT partition_bound CHECK (%I < %L)', parent, key,
      smallest_id(date_trunc('day', id_time(bound), 'UTC') + interval '8 days'));
    IF parent = 'webhook_deliveries' THEN
      ALTER TABLE webhook_deliveries ALTER sequence ADD GENERATED BY DEFAULT AS IDENTITY;
      PERFORM setval('webhook_deliveries_sequence_seq', taken);
    END IF;
  END LOOP;
END
$$`);
    await runner.query(
      'DROP FUNCTION add_partition(text, integer), drop_partitions(text, integer), partition_options(text), partitions_of(text)',
    );
  }
}
