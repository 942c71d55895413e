import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  SwaggerModule,
  type ComponentsObject,
  type OpenAPIObject,
  type OperationObject,
  type PathItemObject,
  type ReferenceObject,
  type SchemaObject,
} from '@nestjs/swagger';
import type { JobKind } from '../jobs/job-kind.js';
import { kindsOf } from '../jobs/job-registry.js';
import { completeOperation } from './complete-operation.js';
import { ENVELOPE_SCHEMAS } from './envelope-schemas.js';
import { EVENT_DELIVERIES, EVENT_SCHEMAS } from './event-deliveries.js';
import { sharedFailures } from './failures.js';
import { HEADERS } from './headers.js';
import { introduction } from './introduction.js';
import { operationIdOf, routesByOperation, type Route } from './routes.js';

type Schemas = Record<string, SchemaObject | ReferenceObject>;

/**
 * The OpenAPI 3.1 document of an application, from its routes and their decorators. Works on an application in preview
 * mode too, which has no database. Takes about 20 ms and is the same every time.
 */
export function buildApiDocument(app: INestApplication): OpenAPIObject {
  const scanned = SwaggerModule.createDocument(app, introduction(), {
    operationIdFactory: operationIdOf,
  });
  const schemas: Schemas = {
    ...ENVELOPE_SCHEMAS,
    ...EVENT_SCHEMAS,
    ...scanned.components?.schemas,
  };
  const modules = app.get(ModulesContainer);
  nameJobKinds(schemas, kindsOf(modules));
  const routes = routesByOperation(modules);
  const paths = mapValues(scanned.paths, (item) => completePath(item, routes, schemas));
  refuseUnknownFields(paths, schemas);
  const components: ComponentsObject = {
    ...scanned.components,
    schemas: sorted(schemas),
    responses: sharedFailures(),
    headers: HEADERS,
  };
  const { openapi, info, servers, security, tags } = scanned;
  return withoutDtoSuffix({
    openapi,
    info,
    servers,
    security,
    tags,
    paths: sorted(paths),
    webhooks: EVENT_DELIVERIES,
    components,
  });
}

function completePath(
  item: PathItemObject,
  routes: ReadonlyMap<string, Route>,
  schemas: Schemas,
): PathItemObject {
  return mapValues(item as Record<string, OperationObject>, (operation) => {
    const route = routes.get(operation.operationId ?? '');
    if (!route) throw new Error(`No route is called ${String(operation.operationId)}.`);
    return completeOperation(operation, route, schemas);
  });
}

/** Features register the kinds of jobs, so that no class can name them all. */
function nameJobKinds(schemas: Schemas, kinds: readonly JobKind[]): void {
  for (const schema of Object.values(schemas)) {
    const kind = (schema as SchemaObject).properties?.['kind'] as SchemaObject | undefined;
    if (kind?.enum?.length === 0) kind.enum = kinds.map(({ name }) => name);
  }
}

/** The validation pipe refuses what a body's DTO does not know; answers may grow, so theirs stay open. */
function refuseUnknownFields(paths: Record<string, PathItemObject>, schemas: Schemas): void {
  for (const item of Object.values(paths)) {
    for (const { requestBody } of Object.values(item) as OperationObject[]) {
      if (!requestBody || '$ref' in requestBody) continue;
      const schema = requestBody.content['application/json']?.schema;
      if (!schema || !('$ref' in schema)) continue;
      const name = schema.$ref.replace('#/components/schemas/', '');
      schemas[name] = { ...schemas[name], additionalProperties: false };
    }
  }
}

/** Clients that are generated from the document call it `Document`, whatever our class is called. */
function withoutDtoSuffix(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {}, ...components } = document.components ?? {};
  const renamed = Object.entries(schemas).map(([name, schema]) => [
    name.replace(/Dto$/, ''),
    schema,
  ]);
  const text = JSON.stringify({
    ...document,
    components: { ...components, schemas: Object.fromEntries(renamed) as Schemas },
  });
  return JSON.parse(
    text.replace(/"#\/components\/schemas\/(\w+)Dto"/g, '"#/components/schemas/$1"'),
  ) as OpenAPIObject;
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function mapValues<Value, Result>(
  record: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
