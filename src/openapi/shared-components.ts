import type {
  ComponentsObject,
  ExampleObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { ID_PREFIXES, type IdKind } from '../identifiers/identifiers.js';
import { nameOfFailure } from './failures.js';
import { IF_NONE_MATCH } from './headers.js';
import { idSchema, sampleId, timestampSchema } from './property-decorators.js';

type AnySchema = SchemaObject | ReferenceObject;
type Kind = 'parameters' | 'responses' | 'examples';
type Part = ParameterObject | ResponseObject | ExampleObject;

/** A part of operations that stands in several of them, and what it may be called. */
interface Repeated {
  kind: Kind;
  part: Part;
  /** From the plainest to the most particular one. */
  names: readonly string[];
  uses: number;
}

/**
 * The same document with each parameter, response and example that several operations have in `components`, once, and
 * with named schemas for ids and times. Says the same in less than half of the bytes.
 */
export function shareComponents(given: OpenAPIObject): OpenAPIObject {
  const document = structuredClone(given);
  const components: ComponentsObject = { ...document.components };
  const schemas = nameSchemas(document, components.schemas ?? {});
  const shared = collect(document);
  const names = nameAll(shared);
  // From the outside in: what is left of a response is looked at for its examples.
  for (const operation of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) =>
      refer('parameters', parameter, names),
    );
    for (const [status, response] of Object.entries(operation.responses)) {
      operation.responses[status] = refer('responses', response as ResponseObject, names);
    }
  }
  const inPaths = operationsOf(document).flatMap(({ responses }) => Object.values(responses));
  const responses = { ...components.responses, ...componentsOf('responses', shared, names) };
  for (const response of [...inPaths, ...Object.values(responses)] as ResponseObject[]) {
    referToExamples(response, names);
  }
  return {
    ...document,
    components: sortedValues({
      ...components,
      schemas,
      parameters: { ...components.parameters, ...componentsOf('parameters', shared, names) },
      responses,
      examples: componentsOf('examples', shared, names),
    }),
  };
}

function operationsOf({ paths, webhooks = {} }: OpenAPIObject): OperationObject[] {
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap(
    (item) => Object.values(item) as OperationObject[],
  );
}

/** Everything that operations have, by kind and content. */
function collect(document: OpenAPIObject): Map<string, Repeated> {
  const found = new Map<string, Repeated>();
  const add = (kind: Kind, part: Part | ReferenceObject, names: () => readonly string[]) => {
    if ('$ref' in part) return;
    const key = keyOf(kind, part);
    const known = found.get(key);
    if (known) known.uses += 1;
    else found.set(key, { kind, part, names: names(), uses: 1 });
  };
  const addExamples = (response: ResponseObject, operation?: OperationObject) => {
    for (const [name, example] of Object.entries(examplesOf(response))) {
      add('examples', example, () => [
        pascal(name),
        ...(operation ? [ownName(operation, name)] : []),
      ]);
    }
  };
  for (const operation of operationsOf(document)) {
    for (const parameter of (operation.parameters ?? []) as ParameterObject[]) {
      add('parameters', parameter, () => parameterNames(parameter, operation));
    }
    for (const [status, response] of Object.entries(operation.responses) as [
      string,
      ResponseObject,
    ][]) {
      add('responses', response, () => responseNames(status, response, operation));
      addExamples(response, operation);
    }
  }
  for (const response of Object.values(document.components?.responses ?? {})) {
    addExamples(response as ResponseObject);
  }
  return new Map([...found].filter(([, { uses }]) => uses > 1));
}

function keyOf(kind: Kind, part: Part): string {
  return kind + JSON.stringify(part);
}

function examplesOf({ content }: ResponseObject): Record<string, ExampleObject> {
  return (content?.['application/json']?.examples ?? {}) as Record<string, ExampleObject>;
}

/** Each by the plainest of its names that nothing else of its kind has. Throws when two have the same names. */
function nameAll(shared: ReadonlyMap<string, Repeated>): Map<string, string> {
  const wanted = new Map<string, number>();
  const label = (kind: Kind, name: string) => `${kind}/${name}`;
  for (const { kind, names } of shared.values()) {
    for (const name of new Set(names)) {
      wanted.set(label(kind, name), (wanted.get(label(kind, name)) ?? 0) + 1);
    }
  }
  return new Map(
    [...shared].map(([key, { kind, names }]) => {
      const name = names.find((one) => wanted.get(label(kind, one)) === 1);
      if (!name) throw new Error(`Two different ${kind} are called ${names.join(' or ')}.`);
      return [key, name];
    }),
  );
}

function componentsOf(
  kind: Kind,
  shared: ReadonlyMap<string, Repeated>,
  names: ReadonlyMap<string, string>,
): Record<string, never> {
  return Object.fromEntries(
    [...shared]
      .filter(([, repeated]) => repeated.kind === kind)
      .map(([key, { part }]) => [names.get(key) ?? '', structuredClone(part)]),
  ) as Record<string, never>;
}

function refer<Item extends Part>(
  kind: Kind,
  part: Item | ReferenceObject,
  names: ReadonlyMap<string, string>,
): Item | ReferenceObject {
  if ('$ref' in part) return part;
  const name = names.get(keyOf(kind, part));
  return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
}

function referToExamples(response: ResponseObject, names: ReadonlyMap<string, string>): void {
  const media = response.content?.['application/json'];
  if (!media?.examples) return;
  media.examples = Object.fromEntries(
    Object.entries(examplesOf(response)).map(([name, example]) => [
      name,
      refer('examples', example, names),
    ]),
  );
}

/** `Limit`, `IdempotencyKey`; `DocumentId` of an id in a path; `DocumentsStatus` where others are called `status` too. */
function parameterNames(parameter: ParameterObject, operation: OperationObject): string[] {
  if (parameter.description === IF_NONE_MATCH.description) return ['IfNoneMatchOfChange'];
  const { schema } = parameter;
  const id = schema && '$ref' in schema ? /\w+Id$/.exec(schema.$ref)?.[0] : undefined;
  const name = pascal(parameter.name);
  const plain = parameter.in === 'path' && id !== undefined ? id : name;
  return [plain, pascal(operation.tags?.[0] ?? '') + name, ownName(operation, name)];
}

/** What a receiver may answer to a delivery. */
const ANSWERS_OF_RECEIVERS: Readonly<Record<string, string>> = {
  '2XX': 'Received',
  '410': 'ReceiverGone',
  default: 'NotReceived',
};

/** `NotFoundUnknownDocument`, by what is special in it; an answer is called as what it carries: `DocumentAnswer`. */
function responseNames(
  status: string,
  response: ResponseObject,
  operation: OperationObject,
): string[] {
  const ofReceiver = ANSWERS_OF_RECEIVERS[status];
  if (ofReceiver !== undefined && operation.operationId?.startsWith('deliver')) return [ofReceiver];
  if (status < '400') {
    const data = JSON.stringify(response.content ?? {}).match(/"data":\{.*?schemas\/(\w+)"/)?.[1];
    const ending = { '200': 'Answer', '201': 'Created', '202': 'Accepted' }[status] ?? 'Unchanged';
    return [(data ?? '') + ending, ownName(operation, ending)];
  }
  const { name, usual } = nameOfFailure(status);
  const own = Object.keys(examplesOf(response)).filter((example) => !usual.includes(example));
  return [name + own.map(pascal).join(''), ownName(operation, name)];
}

function ownName({ operationId = '' }: OperationObject, name: string): string {
  return pascal(operationId) + pascal(name);
}

function pascal(name: string): string {
  return name
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/^./, (first) => first.toUpperCase());
}

/** The forms that hundreds of fields have, by name. */
const SCALARS: Readonly<Record<string, SchemaObject>> = {
  Timestamp: timestampSchema(),
  ...Object.fromEntries(
    (Object.keys(ID_PREFIXES) as IdKind[]).map((kind) => [
      `${pascal(kind)}Id`,
      { ...idSchema(kind), example: sampleId(kind) },
    ]),
  ),
};

/**
 * Refers from each id and each time to its named form, and from each schema with a `title` to the schema of that name.
 * What is particular of one place, such as its description, stands beside the reference.
 */
class SchemaNames {
  /** Schemas that are referred to, by name. */
  readonly used: Record<string, SchemaObject> = {};
  private readonly scalars = new Map(
    Object.entries(SCALARS).map(([name, schema]) => [formOf(schema), name]),
  );

  replace<Value>(value: Value): Value {
    return this.replaced(value) as Value;
  }

  private replaced(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.replaced(item));
    if (typeof value !== 'object' || value === null) return value;
    return this.reference(value) ?? this.members(value);
  }

  private members(value: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [
        name,
        name === 'example' || name === 'examples' ? member : this.replaced(member),
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
    const reference = { $ref: `#/components/schemas/${name}` };
    return {
      ...(isNullable ? { anyOf: [reference, { type: 'null' }] } : reference),
      ...(description !== target.description && description !== undefined && { description }),
      ...(!isSame(example, target.example) && example !== undefined && { example }),
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

/** What makes a schema what it is, whatever is said of it. */
function formOf(schema: SchemaObject): string {
  const form = Object.entries(schema)
    .filter(([name]) => name !== 'description' && name !== 'example')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(form);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function sortedValues(components: ComponentsObject): ComponentsObject {
  return Object.fromEntries(
    Object.entries(components).map(([kind, members]) => [
      kind,
      Object.fromEntries(
        Object.entries(members as object).sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
    ]),
  );
}
