// Describes schemas in plain words, for the tables of the reference.
import { operationsOf, resolve, slugOf } from './api-document.mjs';

/** Nested objects below this level are described by the page of their own operation. */
const MAX_DEPTH = 3;

/** Limits from here on only state what fits into a number, and mean nothing to a reader. */
const TECHNICAL_LIMIT = 999_999_999;

const IGNORED = 'Ignored.';

const IDS = {
  acct: 'an account',
  anl: 'an analysis',
  aud: 'an audit entry',
  dlv: 'a delivery',
  doc: 'a document',
  enh: 'an enhancement',
  evt: 'an event',
  job: 'a job',
  key: 'an API key',
  req: 'a request',
  tmpl: 'a template',
  user: 'a user',
  wh: 'a webhook',
};

const FORMATS = {
  'date-time': 'time (ISO 8601)',
  date: 'date',
  uri: 'URL',
  'uri-reference': 'path',
  email: 'email address',
  binary: 'file',
};

const TYPES = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
};

/** Returns the fields of an object, or an empty list for other schemas. */
export function fieldsOf(api, given, depth = 0) {
  const { properties, required } = membersOf(api, given);
  return Object.entries(properties)
    .filter(([, member]) => member.description !== IGNORED)
    .map(([name, member]) => ({
      name,
      required: required.includes(name),
      ...describe(api, member, depth),
    }));
}

/** Returns the names of the fields that the service accepts and ignores. */
export function ignoredFields(api, given) {
  return Object.entries(membersOf(api, given).properties)
    .filter(([, member]) => member.description === IGNORED)
    .map(([name]) => name);
}

/** Returns the properties of a schema, including those of its parts. */
function membersOf(api, given) {
  const { properties = {}, required = [], allOf = [] } = resolve(api, given) ?? {};
  const members = { properties: { ...properties }, required: [...required] };
  for (const part of allOf) {
    const inner = membersOf(api, part);
    Object.assign(members.properties, inner.properties);
    members.required.push(...inner.required);
  }
  return members;
}

/** Returns the type, limits, values and nested fields of a schema in plain words. */
export function describe(api, given, depth = 0) {
  const schema = flat(api, given);
  const inner = schema.items ? flat(api, schema.items) : schema;
  const owner = ownerOf(api, given);
  if (owner && depth > 0) return bodyOfAnotherOperation(schema, owner);
  return {
    type: typeInWords(api, schema),
    default: schema.default,
    description: schema.description ?? '',
    limits: limitsOf(schema),
    values: valuesOf(api, inner),
    ...nestedOf(api, inner, depth),
  };
}

/** Returns the operation that has this schema, or its first alternative, as its body. */
function ownerOf(api, given) {
  const $ref = given.$ref ?? given.anyOf?.[0].$ref;
  if ($ref === undefined) return undefined;
  return operationsOf(api).find(({ requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema;
    return (schema?.$ref ?? schema?.anyOf?.[0].$ref) === $ref;
  });
}

function bodyOfAnotherOperation(schema, { operationId, summary }) {
  const link = `The body of [${summary}](${slugOf(operationId)}.md).`;
  const description = [schema.description, link].filter(Boolean).join(' ');
  return { type: 'object', description, limits: [], values: [], fields: [], variants: [] };
}

/** Resolves references, and `allOf` with one part. */
function flat(api, given) {
  const schema = resolve(api, given);
  if (schema.allOf?.length !== 1) return schema;
  const { allOf, ...own } = schema;
  return { ...flat(api, allOf[0]), ...own };
}

/** Returns the possible values of an `enum`, which may be an alternative to null. */
function valuesOf(api, schema) {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values) return values;
  return alternativesOf(schema).flatMap((one) => valuesOf(api, flat(api, one)));
}

function alternativesOf(schema) {
  return schema.anyOf ?? schema.oneOf ?? [];
}

/** Returns `fields` of an object, or `variants` if it is one of several objects. */
function nestedOf(api, schema, depth) {
  if (depth >= MAX_DEPTH) return { fields: [], variants: [] };
  const objects = objectAlternatives(api, schema);
  if (objects.length < 2) {
    return { fields: fieldsOf(api, objects[0] ?? schema, depth + 1), variants: [] };
  }
  const variants = objects.map((one) => ({
    name: variantName(api, one),
    fields: fieldsOf(api, one, depth + 1),
  }));
  // Alternatives that nothing distinguishes are forms of one object, of which the first is complete.
  const [first, ...rest] = variants;
  if (rest.some(({ name }) => name === '')) return { fields: first.fields, variants: [] };
  return { fields: [], variants };
}

function objectAlternatives(api, schema) {
  return alternativesOf(schema).flatMap((one) => {
    const { anyOf, oneOf, ...plain } = flat(api, one);
    if (anyOf ?? oneOf) return objectAlternatives(api, { anyOf: anyOf ?? oneOf });
    return membersCount(api, plain) > 0 ? [plain] : [];
  });
}

function membersCount(api, schema) {
  return Object.keys(membersOf(api, schema).properties).length;
}

/** Returns what selects this alternative, such as `op: create`, or an empty text. */
function variantName(api, given) {
  const { properties, required } = membersOf(api, given);
  for (const [name, member] of Object.entries(properties)) {
    const [value, ...others] = valuesOf(api, flat(api, member));
    if (required.includes(name) && value !== undefined && others.length === 0) {
      return `\`${name}\`: \`${String(value)}\``;
    }
  }
  return '';
}

/** Returns `list of whole numbers`-like words: the type with its format, items and alternatives. */
function typeInWords(api, given) {
  const schema = flat(api, given);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) {
    return joined(alternatives.map((one) => typeInWords(api, one)));
  }
  const types = [schema.type ?? impliedType(schema)].flat();
  return joined(types.map((type) => oneType(api, schema, type)));
}

function impliedType(schema) {
  const [value] = schema.enum ?? [schema.const];
  if (value !== undefined) return value === null ? 'null' : typeof value;
  return schema.properties || schema.allOf ? 'object' : 'any';
}

function joined(words) {
  return [...new Set(words)].join(' or ');
}

function oneType(api, schema, type) {
  if (type === 'array') {
    return schema.items ? `list of ${plural(typeInWords(api, schema.items))}` : 'list';
  }
  if (type === 'string') return stringType(schema);
  return TYPES[type] ?? 'any value';
}

function stringType(schema) {
  const prefix = /^\^([a-z]+)_/.exec(schema.pattern ?? '')?.[1];
  if (prefix && IDS[prefix]) return `ID of ${IDS[prefix]}`;
  return FORMATS[schema.format] ?? TYPES.string;
}

function plural(words) {
  if (words === 'text') return 'texts';
  if (words.startsWith('ID of')) return words.replace('ID of', 'IDs of');
  if (words.includes(' or ') || words.endsWith('any value')) return words;
  return words.endsWith(')') ? words.replace(' (', 's (') : `${words}s`;
}

/** Returns the limits of a schema in words, such as `1 to 500 characters`. */
export function limitsOf(schema) {
  const isId = /^\^[a-z]+_/.test(schema.pattern ?? '');
  const hasValues = schema.enum !== undefined || schema.format !== undefined;
  const characters =
    isId || (hasValues && schema.type !== 'array')
      ? undefined
      : range(schema.minLength, schema.maxLength, 'character');
  return [
    characters,
    range(schema.minItems, schema.maxItems, 'item'),
    range(schema.minProperties, schema.maxProperties, 'member'),
    range(schema.minimum, schema.maximum),
  ].filter((text) => text !== undefined);
}

/** Returns `1 to 100 items`; `undefined` if the limits say nothing. */
function range(from, to, noun) {
  const least = from === 0 || from === undefined ? undefined : from;
  const most = to === undefined || Math.abs(to) >= TECHNICAL_LIMIT ? undefined : to;
  if (most === undefined)
    return least === undefined ? undefined : `at least ${counted(least, noun)}`;
  if (from === undefined) return `at most ${counted(most, noun)}`;
  if (from === most) return counted(most, noun);
  if (least === undefined && noun) return `at most ${counted(most, noun)}`;
  return `${number(from)} to ${counted(most, noun)}`;
}

function counted(count, noun) {
  if (!noun) return number(count);
  return `${number(count)} ${count === 1 ? noun : `${noun}s`}`;
}

function number(value) {
  return value.toLocaleString('en-US');
}
