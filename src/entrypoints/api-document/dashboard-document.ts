import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type {
  ExampleObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '@nestjs/swagger';
import { SERVICE_VERSION } from '../../platform/config/project.js';
import { ID_PREFIXES, type IdKind } from '../../platform/basics/identifiers/identifiers.js';
import { assemble, scan } from './api-document.js';
import { envelopeOf } from './complete-operation.js';
import { exampleOf, statusOf } from './failures.js';
import { idSchema, sampleId } from '../../platform/openapi/schemas.js';
import type { Refusal } from '../../platform/openapi/route-decorators.js';
import { routesByOperation, type Route } from './routes.js';

const SESSION = 'session';

const DESCRIPTION = `The routes that the dashboard uses in addition to \`/v1\`: sessions, people, accounts and test receivers. They are internal to
the dashboard and can change with any release. Programs should use \`/v1\` with an API key.

Responses use the envelope of \`/v1\`. Below \`/dashboard/api/accounts/{accountId}/v1\`, the dashboard calls \`/v1\` as the
signed-in user; see its own document. Requests that change something need the \`Origin\` of the service and the header
\`X-Dashboard-Request: 1\`. A request with the header \`X-Dashboard-User\` gets a 401 unless the header contains the ID
of the signed-in user. A person can send 600 read requests a minute; the account's plan limits changes.
For accounts that the user does not belong to, the response is 404.`;

/** Returns the OpenAPI 3.1 document of `/dashboard/api`, built from its routes and their decorators. */
export function buildDashboardDocument(app: INestApplication): OpenAPIObject {
  return assemble(scan(app, 'dashboard'), {
    routes: routesByOperation(app.get(ModulesContainer)),
    complete,
    info: {
      title: 'Document Service dashboard',
      version: SERVICE_VERSION,
      description: DESCRIPTION,
      contact: { name: 'The operator of this service' },
    },
    tags: ['session', 'user', 'account', 'members', 'receivers'].map((name) => ({ name })),
    components: {
      securitySchemes: {
        [SESSION]: { type: 'apiKey', in: 'cookie', name: 'session', description: 'A session.' },
      },
    },
  });
}

function complete(operation: OperationObject, route: Route): OperationObject {
  const parameters = (operation.parameters ?? []) as ParameterObject[];
  const responses = Object.entries(operation.responses) as [string, ResponseObject][];
  const needsSession = route.authentication === 'required' || route.guarded;
  return {
    ...operation,
    parameters: parameters.map(describeId),
    security: needsSession ? [{ [SESSION]: [] }] : [],
    responses: {
      ...Object.fromEntries(
        responses.map(([status, response]) => [
          status,
          route.enveloped ? enveloped(response) : response,
        ]),
      ),
      ...failuresOf(route.refusals),
      default: { description: 'Any other error.', content: content([]) },
    },
  };
}

function describeId(parameter: ParameterObject): ParameterObject {
  const noun = parameter.name.replace(/Id$/, '');
  if (parameter.in !== 'path' || !(noun in ID_PREFIXES)) return parameter;
  const kind = noun as IdKind;
  return { ...parameter, schema: idSchema(kind), example: sampleId(kind) };
}

function enveloped(response: ResponseObject): ResponseObject {
  const data = response.content?.['application/json']?.schema;
  return data ? { ...response, content: envelopeOf(data, 'Meta') } : response;
}

function failuresOf(refusals: readonly Refusal[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    [...new Set(refusals.map(statusOf))].map((status) => {
      const own = refusals.filter((refusal) => statusOf(refusal) === status);
      const description = own.map(([summary]) => summary).join('; ');
      return [status, { description: `${description}.`, content: content(own) }];
    }),
  );
}

function content(refusals: readonly Refusal[]): NonNullable<ResponseObject['content']> {
  const examples = refusals.map(([summary, error]): [string, ExampleObject] => [
    summary,
    { value: exampleOf(error) },
  ]);
  return {
    'application/json': {
      schema: { $ref: '#/components/schemas/Failure' },
      ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
    },
  };
}
