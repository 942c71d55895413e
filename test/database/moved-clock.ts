import { runOn } from '../support/postgres.js';

/**
 * Lets a test move the clock of a database: `now()` and `clock_timestamp()` of new connections add the days in
 * `clock.days`. They are found before PostgreSQL's own, in the functions of the service too.
 */
export async function movableClock(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await runOn(
    url,
    `CREATE SCHEMA clock;
     CREATE TABLE clock.days AS SELECT 0 AS ahead;
     CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS
       $$ SELECT pg_catalog.now() + ahead * interval '1 day' FROM clock.days $$;
     CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
       $$ SELECT pg_catalog.clock_timestamp() + ahead * interval '1 day' FROM clock.days $$;
     ALTER FUNCTION add_partition SET search_path = public, clock, pg_catalog;
     ALTER FUNCTION drop_partitions SET search_path = public, clock, pg_catalog;
     ALTER DATABASE ${name} SET search_path = public, clock, pg_catalog`,
  );
}
