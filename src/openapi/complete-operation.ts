import type {
  OperationObject,
  ParameterObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from '@nestjs/swagger';
import { ANY_SCOPE } from '../auth/authentication.js';
import { ID_PREFIXES, type IdKind } from '../identifiers/identifiers.js';
import { failuresOf, type RequestParts } from './failures.js';
import { headers, IDEMPOTENCY_KEY, OF_COUNTED } from './headers.js';
import { idSchema, sampleId } from './property-decorators.js';
import type { Route } from './routes.js';

export const BEARER_KEY = 'bearerKey';

const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer: if nothing has changed, the answer is 304.',
  schema: { type: 'string', maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' },
  example: '"1"',
};

/**
 * Adds to an operation what all of them share and no route says itself: security and scope, the envelope around its
 * answer, headers, and every failure.
 */
export function completeOperation(operation: OperationObject, route: Route): OperationObject {
  const given = (operation.parameters ?? []) as ParameterObject[];
  const parameters = given.map((parameter) => describeId(parameter, route));
  const successes = successesOf(operation.responses, route);
  if ('304' in successes) parameters.push(IF_NONE_MATCH);
  if (route.idempotent) parameters.push(IDEMPOTENCY_KEY);
  const failures = failuresOf(route, {
    body: bodyOf(operation),
    id: parameters.some((parameter) => parameter.in === 'path'),
    page: parameters.some(({ name }) => name === 'cursor'),
  });
  return {
    ...operation,
    description: describe(operation.description, route),
    parameters,
    security: securityOf(route),
    responses: { ...successes, ...failures },
  };
}

function bodyOf({ requestBody }: OperationObject): RequestParts['body'] {
  if (requestBody === undefined || '$ref' in requestBody) return 'none';
  return 'multipart/form-data' in requestBody.content ? 'form' : 'json';
}

function describe(own: string | undefined, { authentication, scope }: Route): string {
  const access =
    authentication === 'none'
      ? 'Needs no key and counts against no limit.'
      : scope === ANY_SCOPE
        ? 'Needs a key, with whatever scopes.'
        : `Needs the scope \`${String(scope)}\`.`;
  return own === undefined ? access : `${own}\n\n${access}`;
}

/** OpenAPI 3.1 lets a requirement of any scheme name the permissions it needs. */
function securityOf({ authentication, scope }: Route): Record<string, string[]>[] {
  if (authentication === 'none') return [];
  return [{ [BEARER_KEY]: scope === undefined || scope === ANY_SCOPE ? [] : [scope] }];
}

function describeId(parameter: ParameterObject, route: Route): ParameterObject {
  const kind = parameter.in === 'path' ? kindOf(parameter.name, route) : undefined;
  if (kind === undefined) return parameter;
  return {
    ...parameter,
    description: `The id of the ${kind}. One that is malformed is as unknown as any other.`,
    schema: idSchema(kind),
    example: sampleId(kind),
  };
}

/** `id` is of the route's own resource, `deliveryId` of a delivery. */
function kindOf(name: string, { resource }: Route): IdKind | undefined {
  if (name === 'id') return resource;
  const noun = name.replace(/Id$/, '');
  return noun in ID_PREFIXES ? (noun as IdKind) : undefined;
}

function successesOf(responses: ResponsesObject, route: Route): Record<string, ResponseObject> {
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
      ...(route.enveloped || status === '202' ? { content: envelope(response) } : {}),
    };
    if (status === '200' && response.headers?.['ETag'] && route.isRead) {
      successes['304'] = {
        description: 'Unchanged: `If-None-Match` names the present `ETag`. There is no body.',
        headers: { ...common, ...headers('ETag') },
      };
    }
  }
  return successes;
}

/** The success envelope around what the route returns. The examples of its members are its example. */
function envelope({ content }: ResponseObject): ResponseObject['content'] {
  const data = content?.['application/json']?.schema ?? {};
  const meta = 'items' in data ? 'ListMeta' : 'Meta';
  const schema: SchemaObject = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    properties: {
      success: { type: 'boolean', enum: [true] },
      data: 'items' in data ? { ...data, maxItems: 100 } : data,
      meta: { $ref: `#/components/schemas/${meta}` },
    },
  };
  return { 'application/json': { schema } };
}
