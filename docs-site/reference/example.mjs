// Examples of requests and responses, composed of the examples of their members.
import { resolve } from './api-document.mjs';

/** Members that belong in an example although they are optional. */
const SHOWN_OPTIONAL = new Set(['excerpt']);

/**
 * Returns an example of a schema, or `undefined` if it has none. Omits optional members, which are present only in some
 * responses.
 */
export function exampleOf(api, given) {
  const schema = resolve(api, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative) return exampleOf(api, alternative);
  if (schema.allOf) return mergedExamples(schema.allOf.map((part) => exampleOf(api, part)));
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.items) return listExample(api, schema);
  return schema.properties ? objectExample(api, schema) : simpleExample(schema);
}

/** Returns a minimal value for a schema without an example. */
function simpleExample({ type }) {
  const kind = Array.isArray(type) ? type[0] : type;
  return { integer: 1, number: 1, boolean: true, object: {}, null: null }[kind];
}

function mergedExamples(parts) {
  const isObject = (part) => typeof part === 'object' && part !== null;
  return parts.every(isObject) ? Object.assign({}, ...parts) : parts.find((part) => part);
}

function listExample(api, schema) {
  const item = exampleOf(api, schema.items);
  return item === undefined ? [] : [item];
}

function objectExample(api, { properties, required = [] }) {
  const shown = ([name]) => required.includes(name) || SHOWN_OPTIONAL.has(name);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(shown)
      .map(([name, member]) => [name, exampleOf(api, member) ?? null]),
  );
}
