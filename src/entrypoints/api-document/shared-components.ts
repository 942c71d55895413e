import type {
  ComponentsObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  SchemaObject,
} from '@nestjs/swagger';
import { CHECKS } from '@document-service/text-analysis/analysis';
import { ERROR_CODES } from '../../platform/basics/errors/app-error.js';
import { ID_PREFIXES, type IdKind } from '../../platform/basics/identifiers/identifiers.js';
import { IF_NONE_MATCH } from '../../platform/openapi/headers.js';
import { SCOPES } from '../../features/auth/scopes.js';
import { PLANS } from '../../features/auth/plan.js';
import { ENHANCEMENT_STATUSES } from '../../features/analysis/enhancements/enhancement.js';
import { GOALS } from '../../features/analysis/providers/analysis-provider.js';
import { AUDIT_ACTIONS } from '../../features/audit/audit-actions.js';
import { DOCUMENT_TYPES } from '../../features/content/document-type.js';
import { DOCUMENT_STATUSES } from '../../features/documents/model/document-fields.js';
import { EVENT_TYPES, SELECTABLE_EVENTS } from '../../features/events/catalogue/catalogue.js';
import {
  enumSchema,
  idSchema,
  momentSchema,
  sampleId,
  timestampSchema,
} from '../../platform/openapi/schemas.js';

type AnySchema = SchemaObject | ReferenceObject;

/**
 * Returns the document with shared parameters moved to `components.parameters`, and with named schemas for ids and times.
 */
export function shareComponents(given: OpenAPIObject): OpenAPIObject {
  const document = structuredClone(given);
  const components: ComponentsObject = { ...document.components };
  const schemas = nameSchemas(document, components.schemas ?? {});
  const shared = sharedParameters(document);
  for (const operation of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = shared.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  const parameters = [...shared].map(([parameter, name]): [string, ParameterObject] => [
    name,
    JSON.parse(parameter) as ParameterObject,
  ]);
  return {
    ...document,
    components: mapValues(
      {
        ...(components as Record<string, Record<string, unknown>>),
        schemas,
        parameters: { ...components.parameters, ...Object.fromEntries(parameters) },
      },
      (members: Record<string, unknown>) => sorted(members),
    ),
  };
}

export function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function mapValues<Value, Result>(
  record: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function operationsOf({ paths, webhooks = {} }: OpenAPIObject): OperationObject[] {
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap(
    (item) => Object.values(item) as OperationObject[],
  );
}

/**
 * Returns the names of the parameters that several operations share, by the parameter's JSON. Picks the shortest name that
 * is unique among them. Throws if two parameters have no unique name.
 */
function sharedParameters(document: OpenAPIObject): Map<string, string> {
  const found = new Map<string, { names: readonly string[]; uses: number }>();
  for (const operation of operationsOf(document)) {
    for (const parameter of (operation.parameters ?? []) as ParameterObject[]) {
      const key = JSON.stringify(parameter);
      const known = found.get(key);
      if (known) known.uses += 1;
      else found.set(key, { names: parameterNames(parameter, operation), uses: 1 });
    }
  }
  const shared = [...found].filter(([, { uses }]) => uses > 1);
  const wanted = new Map<string, number>();
  for (const [, { names }] of shared) {
    for (const name of new Set(names)) wanted.set(name, (wanted.get(name) ?? 0) + 1);
  }
  return new Map(
    shared.map(([key, { names }]) => {
      const name = names.find((one) => wanted.get(one) === 1);
      if (!name) throw new Error(`Two different parameters are called ${names.join(' or ')}.`);
      return [key, name];
    }),
  );
}

/** Returns candidate names: `Limit`; `DocumentId` for an id in a path; `DocumentsStatus` if several are called `status`. */
function parameterNames(parameter: ParameterObject, operation: OperationObject): string[] {
  if (parameter.description === IF_NONE_MATCH.description) return ['IfNoneMatchOfChange'];
  const { schema } = parameter;
  const id = schema && '$ref' in schema ? /\w+Id$/.exec(schema.$ref)?.[0] : undefined;
  const name = pascal(parameter.name);
  const plain = parameter.in === 'path' && id !== undefined ? id : name;
  return [
    plain,
    pascal(operation.tags?.[0] ?? '') + name,
    pascal(operation.operationId ?? '') + name,
  ];
}

function pascal(name: string): string {
  return name
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/^./, (first) => first.toUpperCase());
}

/** Schemas that many fields share, by name. */
const SCALARS: Readonly<Record<string, SchemaObject>> = {
  Timestamp: timestampSchema(),
  Moment: momentSchema(),
  Scope: enumSchema(SCOPES),
  EventName: enumSchema(EVENT_TYPES),
  EventSelector: enumSchema(SELECTABLE_EVENTS),
  DocumentType: enumSchema(DOCUMENT_TYPES),
  DocumentStatus: enumSchema(DOCUMENT_STATUSES),
  IssueCategory: enumSchema(CHECKS),
  EnhancementGoal: enumSchema(GOALS),
  EnhancementStatus: enumSchema(ENHANCEMENT_STATUSES),
  AuditAction: enumSchema(AUDIT_ACTIONS),
  ErrorCode: enumSchema(ERROR_CODES),
  Plan: enumSchema(PLANS),
  ...Object.fromEntries(
    (Object.keys(ID_PREFIXES) as IdKind[]).map((kind) => [
      `${pascal(kind)}Id`,
      { ...idSchema(kind), example: sampleId(kind) },
    ]),
  ),
};

/**
 * Replaces ids, times and schemas with a `title` by references to named schemas. If a description or example differs from
 * the named schema's, it stays next to the reference.
 */
class SchemaNames {
  /** Referenced schemas by name. */
  readonly used: Record<string, SchemaObject> = {};
  private readonly scalars = new Map(
    Object.entries(SCALARS).map(([name, schema]) => [formOf(schema), name]),
  );

  replace<Value>(value: Value): Value {
    if (Array.isArray(value)) return value.map((item) => this.replace(item) as unknown) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return (this.reference(value) ?? this.members(value)) as Value;
  }

  private members(value: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [
        name,
        name === 'example' || name === 'examples' ? member : this.replace(member),
      ]),
    );
  }

  private reference({ title, ...schema }: SchemaObject): object | undefined {
    const types: string[] = Array.isArray(schema.type) ? schema.type : [schema.type ?? ''];
    const isNullable = types.length === 2 && types[1] === 'null';
    const plain: SchemaObject = isNullable ? { ...schema, type: types[0] } : schema;
    const name = typeof title === 'string' ? title : this.scalars.get(formOf(plain));
    if (name === undefined) return undefined;
    const target = this.target(name, plain);
    const { description, example } = plain as { description?: string; example?: unknown };
    const hasOwnExample = JSON.stringify(example) !== JSON.stringify(target.example);
    const reference = { $ref: `#/components/schemas/${name}` };
    return {
      ...(isNullable ? { anyOf: [reference, { type: 'null' }] } : reference),
      ...(description !== target.description && description !== undefined && { description }),
      ...(hasOwnExample && example !== undefined && { example }),
    };
  }

  private target(name: string, schema: SchemaObject): SchemaObject {
    const known = (this.used[name] ??= SCALARS[name] ?? this.members(schema));
    if (formOf(known) !== formOf(this.members(schema))) {
      throw new Error(`Two different schemas have the title ${name}.`);
    }
    return known;
  }
}

function nameSchemas(
  document: OpenAPIObject,
  schemas: Record<string, AnySchema>,
): Record<string, AnySchema> {
  const names = new SchemaNames();
  document.paths = names.replace(document.paths);
  if (document.webhooks) document.webhooks = names.replace(document.webhooks);
  const replaced = names.replace(schemas);
  for (const name of Object.keys(names.used)) {
    if (replaced[name]) throw new Error(`Two schemas are called ${name}.`);
  }
  return { ...replaced, ...names.used };
}

/** Returns the schema without its description and example, for comparison. */
function formOf(schema: SchemaObject): string {
  const form = Object.entries(schema)
    .filter(([name]) => name !== 'description' && name !== 'example')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(form);
}

/**
 * Rewrites enums that client generators do not support, anywhere in a document:
 * - An enum with null becomes `anyOf` of the enum and the null type: openapi-zod-client generates invalid code for it, and
 *   swagger-typescript-api drops the null.
 * - An enum of one boolean becomes `const`: openapi-python-client supports only string and integer enums.
 */
export function portable<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(portable) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const schema = Object.fromEntries(
    Object.entries(part).map(([name, member]: [string, unknown]) => [
      name,
      name === 'example' || name === 'examples' ? member : portable(member),
    ]),
  );
  const values: unknown = schema['enum'];
  return (Array.isArray(values) ? withoutEnum(schema, values) : schema) as Part;
}

function withoutEnum(given: Record<string, unknown>, values: readonly unknown[]): object {
  const schema = { ...given };
  delete schema['enum'];
  delete schema['type'];
  if (values.length === 1 && typeof values[0] === 'boolean') {
    return { type: 'boolean', const: values[0], ...schema };
  }
  if (!values.includes(null)) return given;
  const [type] = [given['type']].flat().filter((one) => one !== 'null');
  const others = values.filter((value) => value !== null);
  return { anyOf: [{ type, enum: others }, { type: 'null' }], ...schema };
}
