import { gzipSync } from 'node:zlib';
import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { startTestApp, type TestApp } from '../support/app.js';

const MAX_BYTES = 420_000;
const MAX_GZIP_BYTES = 60_000;

let app: TestApp;
let text: string;
let document: OpenAPIObject;
beforeAll(async () => {
  app = await startTestApp();
  ({ text } = await app.api().send('GET', '/v1/openapi.json'));
  document = JSON.parse(text) as OpenAPIObject;
});
afterAll(() => app.close());

interface Place {
  path: string;
  schema: Record<string, unknown>;
}

/** Every object of the document with its path, but not what stands in examples. */
function places(value: unknown = document, path = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value)
    .filter(([name]) => !['example', 'examples'].includes(name) || path.endsWith('/properties'))
    .flatMap(([name, member]) => places(member, `${path}/${name}`));
  return Array.isArray(value)
    ? members
    : [{ path, schema: value as Record<string, unknown> }, ...members];
}

const pathsWhere = (matches: (schema: Record<string, unknown>) => boolean) =>
  places()
    .filter(({ schema }) => matches(schema))
    .map(({ path }) => path);

/** The responses of all operations: `POST /v1/documents 201` and what it says. */
function responses(): [name: string, status: string, response: object][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).flatMap(([method, operation]) =>
      Object.entries(operation.responses).map(([status, response]): [string, string, object] => [
        `${method.toUpperCase()} ${path} ${status}`,
        status,
        response as object,
      ]),
    ),
  );
}

/** Each rule keeps the output of at least one code generator correct: docs/adr/0024-api-document-reference-page-and-client.md. */
describe('the API document, for code generators', () => {
  it('names every status in full: no 4XX and no default', () => {
    expect(responses().length).toBeGreaterThan(500);
    const others = responses().filter(([, status]) => !/^[2345]\d\d$/.test(status));
    expect(others.map(([name]) => name)).toEqual([]);
  });

  it('says in its introduction which failures any path can answer', () => {
    for (const status of ['405', '408', '417', '431']) {
      expect(document.info.description).toMatch(new RegExp(`^- ${status} `, 'm'));
    }
  });

  it('has every success inline', () => {
    const successes = responses().filter(([, status]) => status < '400');
    const referred = successes.filter(([, , response]) => '$ref' in response);
    expect(referred.map(([name]) => name)).toEqual([]);
  });

  it('has one shared response for each status of a failure', () => {
    const failures = responses().filter(([, status]) => status >= '400');
    const inline = failures.filter(([, , response]) => !('$ref' in response));
    expect(inline.map(([name]) => name)).toEqual([]);
    const pairs = new Set(
      failures.map(
        ([, status, { $ref }]: [string, string, { $ref?: string }]) => `${status} ${String($ref)}`,
      ),
    );
    expect(pairs.size).toBe(new Set(failures.map(([, status]) => status)).size);
  });

  it('has no null and no single boolean in an enum', () => {
    const odd = pathsWhere(
      ({ enum: values }) =>
        Array.isArray(values) &&
        values.some((value) => value === null || typeof value === 'boolean'),
    );
    expect(odd).toEqual([]);
    expect(pathsWhere(({ const: value }) => value === true).length).toBeGreaterThan(80);
  });

  it('limits the length of no file and of no union', () => {
    const limited = pathsWhere(
      (schema) =>
        'maxLength' in schema &&
        (schema['format'] === 'binary' || 'anyOf' in schema || 'oneOf' in schema),
    );
    expect(limited).toEqual([]);
    expect(pathsWhere(({ format }) => format === 'binary').length).toBeGreaterThan(5);
  });

  it('requires a title or a template of a new document', () => {
    const { CreateDocument, CreateDocumentFromTemplate } = document.components?.schemas ?? {};
    expect(CreateDocument).toMatchObject({ required: ['title'], additionalProperties: false });
    expect(CreateDocumentFromTemplate).toMatchObject({
      required: ['templateId'],
      additionalProperties: false,
    });
  });

  it('stays small enough to read: 420,000 bytes, 60 KB compressed', () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
    expect(gzipSync(text).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
  });
});
