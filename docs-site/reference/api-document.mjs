// Reads openapi.json for the pages of the reference.
import { readFileSync } from 'node:fs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns openapi.json. */
export function readApiDocument() {
  return JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
}

/** Returns the object, or the component that it refers to. Members next to `$ref` override those of the component. */
export function resolve(api, object) {
  if (object?.$ref === undefined) return object;
  const { $ref, ...own } = object;
  const [, , section, name] = $ref.split('/');
  return { ...resolve(api, api.components[section][name]), ...own };
}

/** True if only signed-in people can call an operation. */
export const isForPeople = (operation) => operation['x-signed-in-people'] === true;

const OPERATIONS = new WeakMap();

/**
 * Returns the operations in the order of the document, with parameters and responses resolved. Leaves out those of the
 * dashboard, which no key can call.
 */
export function operationsOf(api) {
  if (!OPERATIONS.has(api)) OPERATIONS.set(api, resolvedOperations(api));
  return OPERATIONS.get(api);
}

function resolvedOperations(api) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] && !isForPeople(item[method])).map((method) => {
      const operation = item[method];
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        tag: operation.tags[0],
        scopes: operation.security?.[0]?.bearerKey,
        parameters: (operation.parameters ?? []).map((one) => resolve(api, one)),
        responses: Object.entries(operation.responses).map(([status, response]) => ({
          status,
          ...resolve(api, response),
        })),
      };
    }),
  );
}

/** Folder that the generated pages of the operations would have in the repository. */
export const OPERATION_PAGES = 'docs/reference/operations';

/** Returns the path that the page of an operation would have in the repository. */
export function operationPageFile(operationId) {
  return `${OPERATION_PAGES}/${slugOf(operationId)}.md`;
}

/** Returns `rotate-webhook-secret` for `rotateWebhookSecret`: the last part of the address of a page. */
export function slugOf(operationId) {
  return operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the operation that a text such as `GET /v1/documents?q=report` names, or `undefined`. */
export function operationNamed(operations, text) {
  const [route] = text.split('?');
  return operations.find(({ method, path }) => `${method} ${path}` === route);
}
