import type {
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from '@nestjs/swagger';
import { ANY_SCOPE } from '../../features/auth/auth.decorators.js';
import { ID_PREFIXES, type IdKind } from '../../platform/basics/identifiers/identifiers.js';
import { failuresOf } from './failures.js';
import { headers, IDEMPOTENCY_KEY, OF_COUNTED } from '../../platform/openapi/headers.js';
import { idSchema, sampleId } from '../../platform/openapi/schemas.js';
import type { Route } from './routes.js';

export const BEARER_KEY = 'bearerKey';
export const BROWSER_TOKEN = 'browserToken';

/** Extension of operations that clients and samples leave out. */
const FOR_SIGNED_IN_PEOPLE = 'x-signed-in-people';

const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier response. If the resource has not changed, the response is 304.',
  schema: { type: 'string', maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' },
  example: '"1"',
};

/**
 * Returns the operation with everything that routes do not declare themselves: security and scope, the envelope around
 * its response, headers, and errors.
 */
export function completeOperation(operation: OperationObject, route: Route): OperationObject {
  const given = (operation.parameters ?? []) as ParameterObject[];
  const parameters = given.map((parameter) => describeId(parameter, route));
  const has = (parameter: string) => parameters.some(({ name }) => name === parameter);
  const shape = { isPage: has('page') || has('cursor'), maybePart: has('fields') };
  const successes = successesOf(operation.responses, route, shape);
  if ('304' in successes) parameters.push(IF_NONE_MATCH);
  if (route.idempotent) parameters.push(IDEMPOTENCY_KEY);
  const failures = failuresOf(route, {
    hasBody: operation.requestBody !== undefined,
    hasId: parameters.some((parameter) => parameter.in === 'path'),
  });
  return {
    ...operation,
    description: describe(operation.description, route),
    parameters,
    security: securityOf(route),
    ...(route.isForPeople && { [FOR_SIGNED_IN_PEOPLE]: true }),
    responses: { ...successes, ...failures },
  };
}

const FOR_READERS = ', or `documents:read_published` for published versions';

function describe(
  own: string | undefined,
  { authentication, scope, readsPublished, isForPeople, reach }: Route,
): string {
  const access =
    authentication === 'none'
      ? 'Needs no key and does not count against rate limits.'
      : isForPeople
        ? 'Only for signed-in people. Keys get 403.'
        : scope === ANY_SCOPE
          ? 'Needs a key with any scope.'
          : `Scope: \`${String(scope)}\`${readsPublished ? FOR_READERS : ''}.${reach.browser ? ' Browser tokens can use it.' : ''}`;
  return own === undefined ? access : `${own}\n\n${access}`;
}

/** Lists the scope as well: OpenAPI 3.1 allows permissions for all security schemes. */
function securityOf({ authentication, scope, reach }: Route): Record<string, string[]>[] {
  if (authentication === 'none') return [];
  const scopes = scope === undefined || scope === ANY_SCOPE ? [] : [scope];
  return [{ [BEARER_KEY]: scopes }, ...(reach.browser ? [{ [BROWSER_TOKEN]: scopes }] : [])];
}

function describeId(parameter: ParameterObject, route: Route): ParameterObject {
  const kind = parameter.in === 'path' ? kindOf(parameter.name, route) : undefined;
  if (kind === undefined) return parameter;
  return {
    ...parameter,
    description: `ID of the ${kind}. The response to a malformed id is the same as to an unknown one.`,
    schema: idSchema(kind),
    example: sampleId(kind),
  };
}

/** Returns the kind of an id parameter: `id` refers to the route's resource, `deliveryId` to a delivery. */
function kindOf(name: string, { resource }: Route): IdKind | undefined {
  if (name === 'id') return resource;
  const noun = name.replace(/Id$/, '');
  return noun in ID_PREFIXES ? (noun as IdKind) : undefined;
}

/** The parts of a response that depend on the parameters. */
interface ResponseShape {
  isPage: boolean;
  /** True if the client can choose the fields. */
  maybePart: boolean;
}

function successesOf(
  responses: ResponsesObject,
  route: Route,
  shape: ResponseShape,
): Record<string, ResponseObject> {
  const common = route.authentication === 'none' ? {} : headers(...OF_COUNTED);
  const successes: Record<string, ResponseObject> = {};
  for (const [status, response] of Object.entries(responses) as [string, ResponseObject][]) {
    const location =
      status === '201'
        ? headers('Location')
        : status === '202'
          ? headers('Location', 'Retry-After')
          : {};
    const replayed = route.idempotent ? headers('Idempotency-Replayed') : {};
    successes[status] = {
      ...response,
      headers: { ...common, ...location, ...replayed, ...response.headers },
      ...(route.enveloped || status === '202' ? { content: envelope(response, shape) } : {}),
    };
    if (status === '200' && response.headers?.['ETag'] && route.isRead) {
      successes['304'] = {
        description: 'Not modified: `If-None-Match` matches the current `ETag`.',
        headers: { ...common, ...headers('ETag') },
      };
    }
  }
  return successes;
}

/** Returns the success envelope around the data of a route. */
function envelope(
  { content }: ResponseObject,
  { isPage, maybePart }: ResponseShape,
): ResponseObject['content'] {
  const data = content?.['application/json']?.schema ?? {};
  const of = (item: Schema) => (maybePart ? orPart(item) : item);
  const items = 'items' in data ? data.items : undefined;
  const shown = items ? { ...data, items: of(items), maxItems: 100 } : of(data);
  return envelopeOf(shown, isPage ? 'ListMeta' : 'Meta');
}

/** Returns the content of a successful response. `meta` is the name of a schema. */
export function envelopeOf(data: Schema, meta: string): NonNullable<ResponseObject['content']> {
  const schema: SchemaObject = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    properties: {
      success: { type: 'boolean', enum: [true] },
      data,
      meta: { $ref: `#/components/schemas/${meta}` },
    },
  };
  return { 'application/json': { schema } };
}

type Schema = SchemaObject | ReferenceObject;

/** Allows either the resource or its requested fields. */
function orPart(whole: Schema): Schema {
  return '$ref' in whole ? { anyOf: [whole, { $ref: partOf(whole.$ref) }] } : whole;
}

/** Returns the name, or the reference, of the schema for a subset of a resource's fields. */
export const partOf = (name: string) => `${name.replace(/Dto$/, '')}Part`;
