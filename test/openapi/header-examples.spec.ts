import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Header {
  schema: object;
  example?: unknown;
}

/** Returns the headers of the API document that have an example, by path. Redocly does not check these. */
function headersWithExamples(node: unknown, place: readonly string[] = []): [string, Header][] {
  if (typeof node !== 'object' || node === null) return [];
  const isHeader = place.at(-2) === 'headers' && 'schema' in node && 'example' in node;
  const below = Object.entries(node).flatMap(([name, value]) =>
    headersWithExamples(value, [...place, name]),
  );
  return isHeader ? [[place.join('/'), node as Header], ...below] : below;
}

describe('the examples of headers in openapi.json', () => {
  const headers = headersWithExamples(JSON.parse(readFileSync('openapi.json', 'utf8')));

  it('exist in several headers', () => {
    expect(headers.length).toBeGreaterThan(10);
  });

  it.each(headers)('conform to the schema: %s', (_, { schema, example }) => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    ajv.validate(schema, example);
    expect(ajv.errors ?? []).toEqual([]);
  });
});
