import { getMetadataArgsStorage, type EntityTarget, type ObjectLiteral } from 'typeorm';

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
