import { type EntityTarget, getMetadataArgsStorage, type ObjectLiteral } from 'typeorm';

/** A column as its entity declares it. */
interface EntityColumn {
  property: string;
  name: string;
  /** Its SQL type, such as `text[]`. */
  type: string;
}

/** The columns of an entity, for SQL that is written by hand: entities are the one place that names columns. */
export function columnsOf(entity: EntityTarget<ObjectLiteral>): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity as () => void)
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: options.name ?? propertyName,
      type: `${String(options.type)}${options.array ? '[]' : ''}`,
    }));
}

/** `item.account_id AS "accountId", …`: a row of a prepared statement with the names of the entity's properties. */
export function selectedColumns(entity: EntityTarget<ObjectLiteral>, alias: string): string {
  return columnsOf(entity)
    .map(({ property, name }) => `${alias}.${name} AS "${property}"`)
    .join(', ');
}

/**
 * SQL of a `timestamptz(3)` as text in UTC, for what is only shown: {@link isoOf} makes ISO 8601 of it, for a
 * twentieth of what a Date in between costs.
 */
export function utcText(column: string): string {
  return `(${column} AT TIME ZONE 'UTC')::text`;
}

/** `2026-11-22 18:10:00.12` is `2026-11-22T18:10:00.120Z`. */
export function isoOf(utcText: string): string {
  return `${utcText.slice(0, 10)}T${utcText.slice(11, 19)}.${utcText.slice(20).padEnd(3, '0')}Z`;
}
