/**
 * Rewrites the enums that generators of clients do not understand, anywhere in a document:
 * - An enum with null becomes `anyOf` of the enum and the type null. openapi-zod-client writes invalid code for it, and
 *   swagger-typescript-api loses the null.
 * - An enum of one boolean becomes `const`. openapi-python-client supports enums of strings and integers only.
 */
export function portable<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(portable) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const schema = Object.fromEntries(
    Object.entries(part).map(([name, member]: [string, unknown]) => [
      name,
      name === 'example' || name === 'examples' ? member : portable(member),
    ]),
  );
  const values: unknown = schema['enum'];
  return (Array.isArray(values) ? withoutEnum(schema, values) : schema) as Part;
}

function withoutEnum(given: Record<string, unknown>, values: readonly unknown[]): object {
  const schema = { ...given };
  delete schema['enum'];
  delete schema['type'];
  if (values.length === 1 && typeof values[0] === 'boolean') {
    return { type: 'boolean', const: values[0], ...schema };
  }
  if (!values.includes(null)) return given;
  const [type] = [given['type']].flat().filter((one) => one !== 'null');
  const others = values.filter((value) => value !== null);
  return { anyOf: [{ type, enum: others }, { type: 'null' }], ...schema };
}
