import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject, ReferenceObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { routesByOperation } from '../../src/openapi/routes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ApiDocument } from './api-document.js';

/** What secrets are called; `secretPreview` and `keyId` are none. */
const SECRET_NAME = /^(key|secret|token|password)$|(Key|Secret|Token|Password)$/;

let app: TestApp;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp();
  document = new ApiDocument(
    (await app.api().send('GET', '/v1/openapi.json')).body as OpenAPIObject,
  );
});
afterAll(() => app.close());

type Schema = SchemaObject | ReferenceObject;

function resolved(schema: Schema): SchemaObject {
  if (!('$ref' in schema)) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  return resolved(document.content.components?.schemas?.[name] as Schema);
}

/** Dotted paths of the secrets below a schema. */
function secretsOf(schema: Schema, path: string[] = []): string[] {
  const { properties = {}, allOf = [], oneOf = [], anyOf = [], items } = resolved(schema);
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const isSecret = resolved(property).format === 'password' || SECRET_NAME.test(name);
    return isSecret ? [[...path, name].join('.')] : secretsOf(property, [...path, name]);
  });
  const parts = [...allOf, ...oneOf, ...anyOf, ...(items ? [items] : [])];
  return [...own, ...parts.flatMap((part) => secretsOf(part, path))];
}

describe('an answer that shows a secret', () => {
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
    expect(declared.filter(([, fields]) => fields.length > 0)).toHaveLength(4);
  });
});
