import type { DataSource } from 'typeorm';
import { eventually } from '../support/eventually.js';

/** Inserts into a table that wait until they are released. */
export interface HeldInserts {
  /** Waits until the service inserts something. */
  untilAwaited(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Makes inserts into `table` wait after the insert, with all of their locks. A job that inserts stops there, however fast it
 * is.
 */
export async function holdInserts(dataSource: DataSource, table: string): Promise<HeldInserts> {
  const lock = `hashtext('held inserts into ${table}')`;
  const holder = dataSource.createQueryRunner();
  await holder.query(
    `CREATE OR REPLACE FUNCTION hold_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       PERFORM pg_advisory_xact_lock_shared(0, ${lock});
       RETURN NULL;
     END $$;
     CREATE OR REPLACE TRIGGER hold_inserts AFTER INSERT ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION hold_${table}()`,
  );
  await holder.startTransaction();
  await holder.query(`SELECT pg_advisory_xact_lock(0, ${lock})`);
  return {
    untilAwaited: async () => {
      await eventually(
        () =>
          dataSource.query<object[]>(
            `SELECT FROM pg_locks
              WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND locktype = 'advisory' AND classid = 0 AND objid::bigint = ${lock}::bigint & 4294967295
                AND NOT granted`,
          ),
        (waiting) => waiting.length > 0,
      );
    },
    release: async () => {
      await holder.rollbackTransaction();
      await holder.release();
    },
  };
}
