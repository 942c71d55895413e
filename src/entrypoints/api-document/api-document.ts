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
import { IGNORED_FORM } from '../../platform/openapi/field.js';
import type { JobKind } from '../../features/jobs/queue/job-kind.js';
import { kindsOf } from '../../features/jobs/queue/job-registry.js';
import { completeOperation, partOf } from './complete-operation.js';
import { ENVELOPE_SCHEMAS } from './envelope-schemas.js';
import { EVENT_SCHEMAS } from '../../features/events/catalogue/event-types.js';
import { EVENT_DELIVERIES, RECEIVER_RESPONSES } from './event-deliveries.js';
import { sharedFailures } from './failures.js';
import { HEADERS } from '../../platform/openapi/headers.js';
import { introduction } from './introduction.js';
import { operationIdOf, routesByOperation, type Route } from './routes.js';
import { mapValues, portable, shareComponents, sorted } from './shared-components.js';

type Schemas = Record<string, SchemaObject | ReferenceObject>;

/** The parts of a document that do not come from its routes. */
interface Frame extends Pick<OpenAPIObject, 'info' | 'tags' | 'components'> {
  routes: ReadonlyMap<string, Route>;
  complete: (operation: OperationObject, route: Route) => OperationObject;
  /** Parts that only the API document has. */
  more?: Pick<OpenAPIObject, 'security' | 'webhooks'> & { components: ComponentsObject };
}

const isOfDashboard = (path: string) => path.startsWith('/dashboard/');

/** Returns the routes of one document as Nest reads them. Also works in preview mode, without a database. */
export function scan(app: INestApplication, part: 'api' | 'dashboard'): OpenAPIObject {
  const scanned = SwaggerModule.createDocument(app, introduction(), {
    operationIdFactory: operationIdOf,
  });
  const paths = Object.entries(scanned.paths).filter(
    ([path]) => isOfDashboard(path) === (part === 'dashboard'),
  );
  return { ...scanned, paths: Object.fromEntries(paths) };
}

/** Combines routes and frame into a document with only the schemas that it references. */
export function assemble(scanned: OpenAPIObject, frame: Frame): OpenAPIObject {
  const { info, tags, components, routes, complete, more } = frame;
  const schemas: Schemas = describeDefaults({
    ...ENVELOPE_SCHEMAS,
    ...more?.components.schemas,
    ...scanned.components?.schemas,
  });
  const paths = mapValues(scanned.paths, (item) =>
    mapValues(item as Record<string, OperationObject>, (operation) =>
      complete(operation, routeOf(operation, routes)),
    ),
  );
  ignoreAnyForm(schemas);
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

/** Returns the OpenAPI 3.1 document of `/v1`, built from its routes and their decorators. Deterministic; takes about 20 ms. */
export function buildApiDocument(app: INestApplication): OpenAPIObject {
  const modules = app.get(ModulesContainer);
  const routes = routesByOperation(modules);
  const scanned = scan(app, 'api');
  nameJobKinds(scanned.components?.schemas ?? {}, kindsOf(modules));
  const { info, tags, security, components } = introduction();
  const document = assemble(scanned, {
    info,
    tags: [...(tags ?? []), ...furtherTags(scanned, tags)],
    components,
    routes,
    complete: completeOperation,
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

/** Describes the tags that only controllers name, such as `comments`. */
function furtherTags({ paths }: OpenAPIObject, known: OpenAPIObject['tags'] = []) {
  const operations = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, OperationObject>),
  );
  const names = new Set(operations.flatMap(({ tags = [] }) => tags));
  for (const { name } of known) names.delete(name);
  return [...names].map((name) => ({ name, description: `The ${name} of the account.` }));
}

/**
 * Returns a partial schema for each resource, in which only the id is required. Its fields have no descriptions and
 * examples: those of the resource apply. Unused schemas are dropped later.
 */
function parts(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      if (!('properties' in schema) || !schema.properties || !('id' in schema.properties))
        return [];
      const description = `Some fields of ${name.replace(/Dto$/, '')}.`;
      const properties = mapValues(schema.properties, (property) => {
        const form: SchemaObject = { ...(property as SchemaObject) };
        delete form.description;
        delete form.example;
        // Nest wraps references that have a description.
        const [only, ...others] = form.allOf ?? [];
        return only && others.length === 0 ? only : form;
      });
      return [[partOf(name), { ...schema, description, properties, required: ['id'] }]];
    }),
  );
}

/** Drops unreferenced schemas: Nest collects those of both documents. */
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
  const referenced = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...document, components: { ...components, schemas: Object.fromEntries(referenced) } };
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

/** Fills in the kinds of jobs, which features register at run time. */
function nameJobKinds(schemas: Schemas, kinds: readonly JobKind[]): void {
  for (const schema of Object.values(schemas)) {
    const kind = (schema as SchemaObject).properties?.['kind'] as SchemaObject | undefined;
    if (kind?.enum?.length === 0) kind.enum = kinds.map(({ name }) => name);
  }
}

/** Removes the form of ignored members, which can be anything. */
function ignoreAnyForm(schemas: Schemas): void {
  for (const { properties = {} } of Object.values(schemas) as SchemaObject[]) {
    for (const [name, member] of Object.entries(properties)) {
      if ('format' in member && member.format === IGNORED_FORM)
        properties[name] = { description: member.description ?? '' };
    }
  }
}

/**
 * Closes the schemas of bodies, because the service rejects unknown fields. Responses can grow, so their schemas stay open.
 */
function refuseUnknownFields(paths: Record<string, PathItemObject>, schemas: Schemas): void {
  for (const item of Object.values(paths)) {
    for (const { requestBody } of Object.values(item) as OperationObject[]) {
      if (!requestBody || '$ref' in requestBody) continue;
      for (const name of namesOf(requestBody.content['application/json']?.schema)) {
        const { properties = {}, ...rest } = (schemas[name] ?? {}) as SchemaObject;
        schemas[name] = { ...rest, properties, additionalProperties: false };
      }
    }
  }
}

/** Returns the schemas that a body references: one, or several with `anyOf`. */
function namesOf(body: SchemaObject | ReferenceObject | undefined): string[] {
  if (body === undefined) return [];
  if ('$ref' in body) return [body.$ref.replace('#/components/schemas/', '')];
  return (body.anyOf ?? []).flatMap(namesOf);
}

/**
 * Replaces `default` with a sentence in the description. Client generators treat members with a default as always
 * present, even in requests.
 */
function describeDefaults<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(describeDefaults) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { default: value, ...schema } = Object.fromEntries(
    Object.entries(part).map(([name, member]: [string, unknown]) => [
      name,
      name.startsWith('example') ? member : describeDefaults(member),
    ]),
  );
  if (value === undefined) return schema as Part;
  const isSchema = typeof schema['type'] === 'string' || Array.isArray(schema['type']);
  if (!isSchema) return { ...schema, default: value } as Part;
  const { description = '' } = schema as { description?: string };
  const sentence = `Default: \`${JSON.stringify(value).replaceAll('"', '')}\`.`;
  return { ...schema, description: `${description} ${sentence}`.trim() } as Part;
}

/** Removes `Dto` from schema names, because generated clients use these names. */
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
