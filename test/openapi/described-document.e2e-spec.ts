import { gzipSync } from 'node:zlib';
import type {
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { SCOPES } from '../../src/features/auth/scopes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { ApiDocument, samplePath } from './api-document.js';
import { exampleOf } from './schema-example.js';
import { ModulesContainer } from '@nestjs/core';
import { buildDashboardDocument } from '../../src/entrypoints/api-document/dashboard-document.js';
import { routesByOperation } from '../../src/entrypoints/api-document/routes.js';

/** Not part of the API: the page for people. */
const UNDESCRIBED = ['GET /', 'GET /v1', 'GET /docs', 'GET /docs/*path'];
/** Every key and every person may know who they are, whatever their scopes. */
const WITH_ANY_SCOPE = ['readMe'];
/** No key can connect apps. */
const FOR_PEOPLE = [
  ...['checkAuthorization', 'approveAuthorization'],
  ...['listAuthorizations', 'endAuthorization'],
];
const CATCH_ALL = '/{*path}';
/** Implements the Model Context Protocol, and refuses every method except POST. */
const MCP = '/mcp';
/** The checker for editors. LanguageTool's own description applies (docs/guides/check-in-your-editor.md). */
const CHECKER = /^\/(?:lt\/:key\/)?v2\//;
/** For OAuth clients, in the formats of their RFCs (docs/guides/connect-claude-cursor-and-vs-code.md). */
const OAUTH = /^\/(?:oauth|\.well-known)\//;
const WITH_OTHER_DESCRIPTION = [CHECKER, OAUTH];

/** Maximum bytes of the document for each operation, with its share of the schemas. */
const BYTES_AN_OPERATION = 4_250;
const GZIP_BYTES_AN_OPERATION = 605;

let app: TestApp;
let text: string;
let asServed: OpenAPIObject;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp();
  ({ text } = await app.api().send('GET', '/v1/openapi.json'));
  asServed = JSON.parse(text) as OpenAPIObject;
  document = new ApiDocument(asServed);
});
afterAll(() => app.close());

describe('the API document', () => {
  it('describes every route of the service, and no other', () => {
    const described = document.operations().map(({ method, path }) => `${method} ${path}`);
    const ofDashboard = new ApiDocument(buildDashboardDocument(app.app))
      .operations()
      .map(({ method, path }) => `${method} ${path}`);
    expect(ofDashboard.filter((route) => !route.includes(' /dashboard/'))).toEqual([]);
    const known = [...described, ...ofDashboard, ...UNDESCRIBED];
    expect(known.sort()).toEqual(registeredRoutes().sort());
  });

  it('states the scope of every operation, or that it is public', () => {
    for (const { operationId, security, description } of document.operations()) {
      const scopes = (security ?? [{}])
        .filter((requirement) => !('browserToken' in requirement))
        .flatMap((requirement) => requirement['bearerKey'] ?? ['?']);
      if (FOR_PEOPLE.includes(operationId)) {
        expect(description).toContain('Only for signed-in people');
        continue;
      }
      if (WITH_ANY_SCOPE.includes(operationId)) {
        expect({ operationId, scopes }).toEqual({ operationId, scopes: [] });
        expect(description).toContain('with any scope');
        continue;
      }
      const known = scopes.filter((scope) => (SCOPES as readonly string[]).includes(scope));
      expect({ operationId, scopes }).toEqual({ operationId, scopes: known });
      expect(security?.length === 0 || scopes.length === 1).toBe(true);
      expect(description).toContain(scopes[0] ?? 'Needs no key');
    }
  });

  it('has a summary, an example of success and one of every error for each operation', () => {
    for (const { operationId, summary, responses } of document.operations()) {
      expect({ operationId, summary }).toMatchObject({
        summary: expect.stringMatching(/\w+ \w+/) as string,
      });
      for (const [status, given] of Object.entries(responses)) {
        const { content } = document.resolve(given as ResponseObject, '').response;
        if (status === '304' || operationId === 'readApiDocument') continue;
        const [media] = Object.values(content ?? {});
        const examples = [
          media?.example,
          ...Object.values(media?.examples ?? {}),
          exampleOf(media?.schema ?? {}, document.content.components?.schemas ?? {}),
        ] as unknown[];
        const found = examples.filter((example) => example !== undefined).length;
        expect({ operationId, status, examples: found > 0 }).toEqual({
          operationId,
          status,
          examples: true,
        });
      }
      expect(Object.keys(responses)).toContain('500');
    }
  });

  it('has a schema for the data of every response in the envelope', () => {
    for (const { operationId, responses } of document.operations()) {
      const success = (responses['200'] ?? responses['201'] ?? responses['202']) as ResponseObject;
      const schema = success.content?.['application/json']?.schema as SchemaObject | undefined;
      if (!schema?.properties?.['success']) continue;
      expect({ operationId, data: schema.properties['data'] }).not.toEqual({
        operationId,
        data: {},
      });
    }
  });

  it('is right about access: without a key 401, without the scope 403 that names it', async () => {
    const usage = await app.account({ scopes: ['usage:read'] });
    const events = await app.account({ scopes: ['events:read'] });
    for (const operation of document.operations()) {
      const [scope] = operation.security?.[0]?.['bearerKey'] ?? [];
      if (operation.security?.length === 0) continue;
      const path = samplePath(operation);
      const anonymous = await app.api().send(operation.method, path);
      expectFailure(anonymous, 401, 'UNAUTHORIZED');
      document.expectDescribed(operation.operationId, anonymous);
      if (FOR_PEOPLE.includes(operation.operationId)) {
        const byKey = await events.api.send(operation.method, path);
        expectFailure(byKey, 403, 'FORBIDDEN');
        document.expectDescribed(operation.operationId, byKey);
        continue;
      }
      if (scope === undefined) {
        expectSuccess(await events.api.send(operation.method, path));
        continue;
      }
      const { api } = scope === 'usage:read' ? events : usage;
      const forbidden = await api.send(operation.method, path);
      expectFailure(forbidden, 403, 'FORBIDDEN');
      expect(forbidden.body.error.details.requiredScopes).toEqual([scope]);
      document.expectDescribed(operation.operationId, forbidden);
    }
  });

  it('is right about what is public', async () => {
    for (const operation of document.operations()) {
      if (operation.security?.length !== 0) continue;
      expect((await app.api().send(operation.method, samplePath(operation))).status).toBe(200);
    }
  });
});

/** Returns routes such as `GET /v1/documents/{id}` from Express, except the one for unknown paths. */
function registeredRoutes(): string[] {
  const express = app.app.getHttpAdapter().getInstance();
  const layers = express.router.stack as unknown as {
    route?: { path: string; methods: Record<string, boolean> };
  }[];
  return layers.flatMap(({ route }) =>
    !route ||
    route.path === CATCH_ALL ||
    route.path === MCP ||
    WITH_OTHER_DESCRIPTION.some((one) => one.test(route.path))
      ? []
      : Object.keys(route.methods).map(
          (method) => `${method.toUpperCase()} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
        ),
  );
}

/** Names of secrets. `secretPreview` and `keyId` are not secrets. */
const SECRET_NAME = /^(key|secret|token|password)$|(Key|Secret|Token|Password)$/;

type Schema = SchemaObject | ReferenceObject;

function resolved(schema: Schema): SchemaObject {
  if (!('$ref' in schema)) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  return resolved(document.content.components?.schemas?.[name] as Schema);
}

/** Not an object that describes a secret, such as the `key` of `GET /v1/me`. */
function isText(schema: Schema): boolean {
  const { type, allOf = [], oneOf = [], anyOf = [] } = resolved(schema);
  const parts = [...allOf, ...oneOf, ...anyOf];
  return parts.length > 0 ? parts.some(isText) : [type].flat().includes('string');
}

/** Returns the dotted paths of secrets in a schema. */
function secretsOf(schema: Schema, path: string[] = []): string[] {
  const { properties = {}, allOf = [], oneOf = [], anyOf = [], items } = resolved(schema);
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const isSecret =
      resolved(property).format === 'password' || (SECRET_NAME.test(name) && isText(property));
    return isSecret ? [[...path, name].join('.')] : secretsOf(property, [...path, name]);
  });
  const parts = [...allOf, ...oneOf, ...anyOf, ...(items ? [items] : [])];
  return [...own, ...parts.flatMap((part) => secretsOf(part, path))];
}

describe('a response that shows a secret', () => {
  it('comes from a route that declares it as shown once, and from no other', () => {
    const routes = routesByOperation(app.app.get(ModulesContainer));
    const shown = document.operations().map(({ operationId, responses }) => {
      const schemas = Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([, response]) => (response as ResponseObject).content?.['application/json']?.schema)
        .filter((schema) => schema !== undefined);
      return [operationId, [...new Set(schemas.flatMap((schema) => secretsOf(schema)))]] as const;
    });
    const declared = document.operations().map(({ operationId }) => {
      const field = routes.get(operationId)?.secretField;
      return [operationId, field === undefined ? [] : [`data.${field}`]] as const;
    });
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(declared));
    expect(declared.filter(([, fields]) => fields.length > 0)).toHaveLength(6);
  });
});

interface Place {
  path: string;
  schema: Record<string, unknown>;
}

/** Returns every object of the document with its path, except in examples. */
function places(value: unknown = asServed, path = ''): Place[] {
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

/** Returns the responses of all operations, named like `POST /v1/documents 201`. */
function responses(): [name: string, status: string, response: object][] {
  return Object.entries(asServed.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).flatMap(([method, operation]) =>
      Object.entries(operation.responses).map(([status, response]): [string, string, object] => [
        `${method.toUpperCase()} ${path} ${status}`,
        status,
        response as object,
      ]),
    ),
  );
}

/** Each rule keeps at least one code generator's output correct: docs/adr/0024-api-document-reference-page-and-client.md. */
describe('the API document, for code generators', () => {
  it('lists every status explicitly: no 4XX and no default', () => {
    expect(responses().length).toBeGreaterThan(500);
    const others = responses().filter(([, status]) => !/^[2345]\d\d$/.test(status));
    expect(others.map(([name]) => name)).toEqual([]);
  });

  it('says in its introduction which errors any path can return', () => {
    for (const status of ['405', '408', '417', '431']) {
      expect(asServed.info.description).toMatch(new RegExp(`^- ${status} `, 'm'));
    }
  });

  it('has every success inline', () => {
    const successes = responses().filter(([, status]) => status < '400');
    const referred = successes.filter(([, , response]) => '$ref' in response);
    expect(referred.map(([name]) => name)).toEqual([]);
  });

  it('has one shared response for each error status', () => {
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
    // A nullable enum is an `anyOf` of the enum and null.
    const nullable = ({ type }: Record<string, unknown>) =>
      Array.isArray(type) && type.includes('null');
    expect(pathsWhere((schema) => 'enum' in schema && nullable(schema))).toEqual([]);
    expect(pathsWhere(({ const: value }) => value === true).length).toBeGreaterThan(80);
  });

  it('sets no length limit on files and unions', () => {
    const limited = pathsWhere(
      (schema) =>
        'maxLength' in schema &&
        (schema['format'] === 'binary' || 'anyOf' in schema || 'oneOf' in schema),
    );
    expect(limited).toEqual([]);
    expect(pathsWhere(({ format }) => format === 'binary').length).toBeGreaterThan(5);
    // Times in queries, which accept several forms, are text with a pattern.
    expect(asServed.components?.schemas?.['Moment']).toMatchObject({
      type: 'string',
      pattern: expect.any(String) as string,
    });
  });

  it('requires a title or a template for a new document', () => {
    const { CreateDocument, CreateDocumentFromTemplate } = asServed.components?.schemas ?? {};
    expect(CreateDocument).toMatchObject({ required: ['title'], additionalProperties: false });
    expect(CreateDocumentFromTemplate).toMatchObject({
      required: ['templateId'],
      additionalProperties: false,
    });
  });

  it('stays small enough to read: 4,150 bytes for each operation, 605 compressed', () => {
    const count = document.operations().length;
    expect(Buffer.byteLength(text) / count).toBeLessThanOrEqual(BYTES_AN_OPERATION);
    expect(gzipSync(text).length / count).toBeLessThanOrEqual(GZIP_BYTES_AN_OPERATION);
  });
});
