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
import { IGNORED_FORM } from '../../platform/http/envelope/field-decorators.js';
import type { JobKind } from '../../features/jobs/job-kind.js';
import { kindsOf } from '../../features/jobs/job-registry.js';
import { completeOperation, partOf } from './complete-operation.js';
import { ENVELOPE_SCHEMAS } from './envelope-schemas.js';
import { EVENT_SCHEMAS } from '../../features/events/event-types.js';
import { EVENT_DELIVERIES, RECEIVER_RESPONSES } from './event-deliveries.js';
import { sharedFailures } from './failures.js';
import { HEADERS } from '../../platform/openapi/headers.js';
import { introduction } from './introduction.js';
import { operationIdOf, routesByOperation, type Route } from './routes.js';
import { portable, shareComponents } from './shared-components.js';

type Schemas = Record<string, SchemaObject | ReferenceObject>;

/** What one of the two documents says beside its routes. */
interface Frame extends Pick<OpenAPIObject, 'info' | 'tags' | 'components'> {
  complete: (item: PathItemObject) => PathItemObject;
  /** What of the frame is in the API document alone. */
  more?: Pick<OpenAPIObject, 'security' | 'webhooks'> & { components: ComponentsObject };
}

/** Routes of people who use the dashboard; all others are of the API. */
const isOfDashboard = (path: string) => path.startsWith('/dashboard/');

/** The routes of one document as Nest reads them. Works on an application in preview mode too, which has no database. */
export function scan(app: INestApplication, part: 'api' | 'dashboard'): OpenAPIObject {
  const scanned = SwaggerModule.createDocument(app, introduction(), {
    operationIdFactory: operationIdOf,
  });
  const paths = Object.entries(scanned.paths).filter(
    ([path]) => isOfDashboard(path) === (part === 'dashboard'),
  );
  return { ...scanned, paths: Object.fromEntries(paths) };
}

/** A document of routes with what its frame says, and with those schemas that it speaks of. */
export function assemble(scanned: OpenAPIObject, frame: Frame): OpenAPIObject {
  const { info, tags, components, complete, more } = frame;
  const schemas: Schemas = tellDefaults({
    ...ENVELOPE_SCHEMAS,
    ...more?.components.schemas,
    ...scanned.components?.schemas,
  });
  const paths = mapValues(scanned.paths, (item) => complete(item));
  refuseUnknownFields(paths, schemas);
  const { openapi, servers } = scanned;
  return withoutDtoSuffix(
    withUsedSchemas(
      portable({
        openapi,
        info,
        servers,
        ...(more?.security && { security: more.security }),
        tags,
        paths: sorted(paths),
        ...(more?.webhooks && { webhooks: more.webhooks }),
        components: { ...components, ...more?.components, schemas: sorted(schemas) },
      }),
    ),
  );
}

/** The OpenAPI 3.1 document of `/v1`, from its routes and their decorators. Takes about 20 ms and is the same every time. */
export function buildApiDocument(app: INestApplication): OpenAPIObject {
  const modules = app.get(ModulesContainer);
  const routes = routesByOperation(modules);
  const scanned = scan(app, 'api');
  nameJobKinds(scanned.components?.schemas ?? {}, kindsOf(modules));
  const { info, tags, security, components } = introduction();
  const document = assemble(scanned, {
    info,
    tags,
    components,
    complete: (item) => completePath(item, routes),
    more: {
      security,
      webhooks: EVENT_DELIVERIES,
      components: {
        schemas: { ...parts(scanned.components?.schemas ?? {}), ...EVENT_SCHEMAS },
        responses: { ...sharedFailures(routesOf(scanned, routes)), ...RECEIVER_RESPONSES },
        headers: HEADERS,
      },
    },
  });
  return shareComponents(document);
}

/** Beside each resource any fields of it, of which only the id is sure; which of them are used is seen at the end. */
function parts(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) =>
      'properties' in schema && schema.properties && 'id' in schema.properties
        ? [[partOf(name), { ...schema, required: ['id'] }]]
        : [],
    ),
  );
}

/** Nest collects the schemas of all routes, those of the other document too. */
function withUsedSchemas(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {}, ...components } = document.components ?? {};
  const used = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      const schema = schemas[name];
      if (!schema) throw new Error(`No schema is called ${name}.`);
      follow(schema);
    }
  };
  follow([document.paths, document.webhooks ?? {}, components]);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
}

function completePath(item: PathItemObject, routes: ReadonlyMap<string, Route>): PathItemObject {
  return mapValues(item as Record<string, OperationObject>, (operation) => {
    return completeOperation(operation, routeOf(operation, routes));
  });
}

function routesOf({ paths }: OpenAPIObject, routes: ReadonlyMap<string, Route>): Route[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, OperationObject>).map((one) => routeOf(one, routes)),
  );
}

function routeOf({ operationId = '' }: OperationObject, routes: ReadonlyMap<string, Route>): Route {
  const route = routes.get(operationId);
  if (!route) throw new Error(`No route is called ${operationId}.`);
  return route;
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
      for (const name of namesOf(requestBody.content['application/json']?.schema)) {
        const { properties = {}, ...rest } = (schemas[name] ?? {}) as SchemaObject;
        const members = mapValues(properties, (member) =>
          'format' in member && member.format === IGNORED_FORM
            ? { description: member.description ?? '' }
            : member,
        );
        schemas[name] = { ...rest, properties: members, additionalProperties: false };
      }
    }
  }
}

/** The names of the schemas that a body refers to: one, or several with `anyOf`. */
function namesOf(body: SchemaObject | ReferenceObject | undefined): string[] {
  if (body === undefined) return [];
  if ('$ref' in body) return [body.$ref.replace('#/components/schemas/', '')];
  return (body.anyOf ?? []).flatMap(namesOf);
}

/**
 * Generators of clients take a member with `default` for one that is always there, in requests too. What may be left out
 * says in words what it then is; what answers always have is required there.
 */
function tellDefaults<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(tellDefaults) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { default: value, ...schema } = Object.fromEntries(
    Object.entries(part).map(([name, member]: [string, unknown]) => [
      name,
      name.startsWith('example') ? member : tellDefaults(member),
    ]),
  );
  if (value === undefined) return schema as Part;
  const isSchema = typeof schema['type'] === 'string' || Array.isArray(schema['type']);
  if (!isSchema) return { ...schema, default: value } as Part;
  const told = `Left out: \`${JSON.stringify(value).replaceAll('"', '')}\`.`;
  const { description } = schema as { description?: string };
  return {
    ...schema,
    description: description === undefined ? told : `${description} ${told}`,
  } as Part;
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
