import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { COUNTED, EVERYWHERE } from '../../src/platform/openapi/headers.js';
import type { ApiResponse } from '../support/api-client.js';

/** An operation with its path and method. */
export interface Operation extends OperationObject {
  operationId: string;
  method: string;
  path: string;
}

/** The end of an id that does not exist. */
const NOBODYS_ID = '01h455vb4pex5vsknk084sn02q';

/** Failures of any path, which the introduction describes. */
const OF_ANY_PATH = [405, 408, 417, 431];

/** Headers that the introduction describes once. */
const OF_EVERY_ANSWER: readonly string[] = [...EVERYWHERE, ...COUNTED];

/** The served API document, to check responses against. */
export class ApiDocument {
  private readonly ajv = addFormats.default(new Ajv2020({ strict: false, validateFormats: true }));
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly content: OpenAPIObject) {
    const closed = JSON.parse(JSON.stringify(content), closeObject) as OpenAPIObject;
    const details = closed.components?.schemas?.['FailureDetails'] as SchemaObject;
    details.additionalProperties = false;
    this.ajv.addSchema(closed, 'document', false, false);
  }

  operations(): Operation[] {
    return Object.entries(this.content.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => ({
        ...operation,
        parameters: operation.parameters?.map((parameter) => this.parameter(parameter)),
        operationId: operation.operationId ?? '',
        method: method.toUpperCase(),
        path,
      })),
    );
  }

  operation(operationId: string): Operation {
    const found = this.operations().find((operation) => operation.operationId === operationId);
    if (!found) throw new Error(`The document has no operation ${operationId}`);
    return found;
  }

  /** Fails unless the document describes this response: its status, its headers, and every field of its body. */
  expectDescribed(operationId: string, reply: ApiResponse): void {
    const { method, path, responses } = this.operation(operationId);
    if (OF_ANY_PATH.includes(reply.status)) {
      this.expectValid('/components/schemas/Failure', reply.body);
      return;
    }
    const status = String(reply.status);
    if (!(status in responses)) throw new Error(`${operationId}: ${status} is not described`);
    const at = `/paths/${escape(path)}/${method.toLowerCase()}/responses/${status}`;
    const { response, pointer } = this.resolve(responses[status] ?? { $ref: '' }, at);
    for (const name of Object.keys(this.content.components?.headers ?? {})) {
      if (OF_EVERY_ANSWER.includes(name)) continue;
      const sent = reply.headers[name.toLowerCase()] !== undefined;
      if (sent) expect(Object.keys(response.headers ?? {})).toContain(name);
    }
    if (!response.content) {
      expect(reply.text).toBe('');
      return;
    }
    this.expectValid(`${pointer}/content/application~1json/schema`, reply.body);
  }

  /** Fails unless the value matches the schema at this JSON pointer. */
  expectValid(pointer: string, value: unknown): void {
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `document#${pointer}` });
      this.validators.set(pointer, validate);
    }
    validate(value);
    expect({ pointer, errors: validate.errors }).toEqual({ pointer, errors: null });
  }

  private parameter(parameter: ParameterObject | ReferenceObject): ParameterObject {
    if (!('$ref' in parameter)) return parameter;
    const name = parameter.$ref.split('/').at(-1) ?? '';
    return this.content.components?.parameters?.[name] as ParameterObject;
  }

  /** Returns the response with its JSON pointer. */
  resolve(response: ResponseObject | ReferenceObject, at: string) {
    if (!('$ref' in response)) return { response, pointer: at };
    const name = response.$ref.split('/').at(-1) ?? '';
    const shared = this.content.components?.responses?.[name] as ResponseObject;
    return { response: shared, pointer: `/components/responses/${name}` };
  }
}

/** Returns the path with ids of the right kind that do not exist. */
export function samplePath({ path, parameters = [] }: Operation): string {
  return (parameters as ParameterObject[])
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => {
      const [prefix] = String(example).split('_');
      return filled.replace(`{${name}}`, `${prefix ?? ''}_${NOBODYS_ID}`);
    }, path);
}

/** Responses may get more fields, which our clients must accept. In our tests, an undescribed field is a mistake. */
function closeObject(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!('properties' in value) || 'additionalProperties' in value) return value;
  return 'type' in value && value.type === 'object'
    ? { ...value, additionalProperties: false }
    : value;
}

function escape(path: string): string {
  return path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
}
