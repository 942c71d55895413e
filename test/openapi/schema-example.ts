import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

type AnySchema = SchemaObject | ReferenceObject;
type Schemas = Readonly<Record<string, AnySchema>>;

/**
 * Returns an example of a schema, composed of those of its members, or `undefined` if there is none. Omits members that
 * are only sometimes present, such as `highlight` with `q`.
 */
export function exampleOf(given: AnySchema, schemas: Schemas): unknown {
  const schema = resolve(given, schemas);
  if (schema.example !== undefined) return schema.example as unknown;
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas))) as object;
  }
  const [part] = schema.anyOf ?? schema.oneOf ?? [];
  if (part) return exampleOf(part, schemas);
  if (schema.enum) return (schema.enum as unknown[])[0];
  if (schema.items) return [exampleOf(schema.items, schemas)];
  if (!schema.properties) return undefined;
  const { properties, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, member]) => [name, exampleOf(member, schemas)]),
  );
}

function resolve(schema: AnySchema, schemas: Schemas): SchemaObject {
  if (!('$ref' in schema)) return schema;
  const target = schemas[schema.$ref.replace('#/components/schemas/', '')];
  return target ? resolve(target, schemas) : {};
}
