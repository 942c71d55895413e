import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';

/**
 * Lists every object of the current schema as one line of text: tables, columns, constraints, indexes, sequences,
 * functions, aggregates, triggers and types. The lines are the same on PostgreSQL 15 to 18, and after a dump and restore.
 * They omit the order of columns, objects of extensions, and the table `migrations`.
 */
const OBJECTS = `
  WITH owned AS (
    SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
  ), relations AS (
    SELECT oid, relname, relkind, relpersistence, reloptions FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname NOT IN ('migrations', 'migrations_id_seq')
       AND (oid <> ALL (SELECT objid FROM owned WHERE classid = 'pg_class'::regclass))
  ), functions AS (
    SELECT * FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace
       AND oid <> ALL (SELECT objid FROM owned WHERE classid = 'pg_proc'::regclass)
  ), lines (line) AS (
    SELECT concat_ws(' ', 'relation', relkind, relname, relpersistence,
                     (SELECT string_agg(option, ',' ORDER BY option COLLATE "C") FROM unnest(reloptions) AS option))
      FROM relations WHERE relkind IN ('r', 'p', 'v', 'm', 'S')
    UNION ALL
    SELECT concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod),
                     CASE WHEN attnotnull THEN 'not null' END, attidentity, attgenerated, attstorage,
                     (SELECT collname FROM pg_collation WHERE pg_collation.oid = attcollation AND collname <> 'default'),
                     pg_get_expr(adbin, adrelid))
      FROM relations
      JOIN pg_attribute ON attrelid = relations.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relkind IN ('r', 'p', 'v', 'm')
    UNION ALL
    SELECT concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid, true))
      FROM relations JOIN pg_constraint ON conrelid = relations.oid
     -- From PostgreSQL 18 on, NOT NULL is a constraint too; the columns say it in every version.
     WHERE contype IN ('p', 'u', 'c', 'f', 'x')
    UNION ALL
    SELECT concat_ws(' ', 'index', pg_get_indexdef(indexrelid, 0, true), indisvalid)
      FROM pg_index JOIN relations ON indrelid = relations.oid
     WHERE indexrelid IN (SELECT oid FROM relations)
    UNION ALL
    SELECT concat_ws(' ', 'sequence', relname, format_type(seqtypid, NULL), seqstart, seqincrement, seqmax, seqmin,
                     seqcache, seqcycle)
      FROM relations JOIN pg_sequence ON seqrelid = relations.oid
    UNION ALL
    SELECT concat_ws(' ', 'function', prokind, proname, pg_get_function_arguments(functions.oid),
                     pg_get_function_result(functions.oid), lanname, provolatile, proisstrict, prosecdef, proparallel,
                     procost, prorows, proconfig::text, prosrc)
      FROM functions JOIN pg_language ON pg_language.oid = prolang
    UNION ALL
    SELECT concat_ws(' ', 'aggregate', proname, aggtransfn::regproc, aggfinalfn::regproc, aggcombinefn::regproc,
                     format_type(aggtranstype, NULL), agginitval)
      FROM functions JOIN pg_aggregate ON aggfnoid = functions.oid
    UNION ALL
    SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(pg_trigger.oid, true), tgenabled)
      FROM pg_trigger JOIN relations ON tgrelid = relations.oid WHERE NOT tgisinternal
    UNION ALL
    SELECT concat_ws(' ', 'type', typtype, typname, format_type(typbasetype, typtypmod),
                     (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = pg_type.oid))
      FROM pg_type
     WHERE typnamespace = current_schema()::regnamespace AND typtype IN ('d', 'e', 'r')
       AND oid <> ALL (SELECT objid FROM owned WHERE classid = 'pg_type'::regclass)
  )
  SELECT line FROM lines ORDER BY line COLLATE "C"`;

export async function schemaObjects(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ line: string }[]>(OBJECTS);
  return rows.map(({ line }) => line);
}

/** Returns the SHA-256, in hex, of {@link schemaObjects}. */
export async function schemaFingerprint(dataSource: DataSource): Promise<string> {
  const objects = await schemaObjects(dataSource);
  return createHash('sha256').update(objects.join('\n')).digest('hex');
}
