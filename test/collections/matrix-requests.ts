import type { ParameterObject, RequestBodyObject, SchemaObject } from '@nestjs/swagger';
import type { ApiDocument, Operation } from '../openapi/api-document.js';
import type { RequestOptions } from '../support/api-client.js';
import { formWith } from '../support/form.js';

/** Public IDs of one document with everything that belongs to it, and of its collection. */
export interface Named {
  doc: string;
  col: string;
  anl: string;
  enh: string;
  evt: string;
  job: string;
  req: string;
  dlv: string;
  rel: string;
  externalId: string;
  /** Of a dismissed issue. */
  issueId: string;
}

/** Prefixes of IDs that lead to a document or a collection. */
export const PLACED = ['doc', 'col', 'anl', 'enh', 'evt', 'job', 'req', 'dlv', 'rel'] as const;

/** Prefixes of IDs of what the account shares, whatever the rights in collections are. */
export const SHARED = ['key', 'user', 'tmpl', 'wh', 'aud'];

/** Path parameters without an example of an ID, with a value. */
const OTHER_PARAMETERS: Readonly<Record<string, string>> = {
  number: '1',
  version: '1',
};

const prefixOf = (example: unknown) => /^([a-z]+)_/.exec(String(example))?.[1];

/** Returns the kinds of IDs in the path: a prefix, `externalId`, or the name of another parameter. */
export function kindsInPath({ parameters = [] }: Operation): string[] {
  return (parameters as ParameterObject[])
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, example }) => prefixOf(example) ?? name);
}

export const isPlaced = (kind: string): kind is keyof Named =>
  ['externalId', 'issueId', ...PLACED].includes(kind);

export const isKnown = (kind: string) =>
  isPlaced(kind) || SHARED.includes(kind) || kind in OTHER_PARAMETERS;

/** Returns the path of an operation with these IDs. */
export function pathWith(
  { path, parameters = [] }: Operation,
  named: Named,
  shared: Readonly<Record<string, string>>,
): string {
  return (parameters as ParameterObject[])
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => {
      const kind = prefixOf(example) ?? name;
      const value = isPlaced(kind) ? named[kind] : (shared[kind] ?? OTHER_PARAMETERS[kind] ?? '');
      return filled.replace(`{${name}}`, encodeURIComponent(value));
    }, path);
}

/** Returns the fields of the query and of the body that name a document, a collection or what belongs to one. */
export function fieldsNaming(document: ApiDocument, operation: Operation): string[] {
  const found = new Set<string>();
  for (const { name, schema, example, in: place } of (operation.parameters ??
    []) as ParameterObject[])
    if (place === 'query' && name === 'externalId') found.add(name);
    else if (place === 'query')
      find(document, { ...schema, ...(example !== undefined && { example }) }, name, found);
  const { content = {} } = (operation.requestBody ?? {}) as Partial<RequestBodyObject>;
  for (const { schema } of Object.values(content)) if (schema) find(document, schema, '', found);
  return [...found].sort();
}

const NAMES_PLACE = new RegExp(`\\b(?:${PLACED.join('|')})_(?:0|\\[)`);

function find(
  document: ApiDocument,
  schema: SchemaObject & { $ref?: string },
  name: string,
  found: Set<string>,
  parents: readonly string[] = [],
): void {
  const { $ref, items, properties = {} } = schema;
  if ($ref !== undefined) {
    if (parents.includes($ref)) return;
    const target = document.content.components?.schemas?.[$ref.split('/').at(-1) ?? ''];
    find(document, { ...(target as SchemaObject) }, name, found, [...parents, $ref]);
    return;
  }
  if (name !== '' && namesPlace(schema)) found.add(name);
  for (const [key, property] of Object.entries(properties))
    find(document, property, key, found, parents);
  for (const part of [items ?? [], ...alternativesOf(schema)].flat())
    find(document, part, name, found, parents);
}

const alternativesOf = ({ oneOf = [], anyOf = [], allOf = [] }: SchemaObject) => [
  ...oneOf,
  ...anyOf,
  ...allOf,
];

/** True if the value itself, not a part of it, is such an ID by its example or pattern. */
function namesPlace({ example, pattern, items, properties }: SchemaObject): boolean {
  const isText = items === undefined && properties === undefined && typeof example === 'string';
  return NAMES_PLACE.test(JSON.stringify([isText ? example : '', pattern]));
}

/**
 * Fields whose value tells that something exists. Deliveries of hidden documents are listed without content, and a stream
 * resumes after an event that the caller cannot see any more.
 */
export const TELLING: Readonly<Record<string, readonly string[]>> = {
  streamEvents: ['lastEventId'],
  listAllDeliveries: ['deliveryId', 'eventId', 'requestId'],
  listDeliveries: ['deliveryId', 'eventId'],
};

/** A request that names something outside of its path. */
export interface NamingRequest {
  /** With the leading question mark. */
  query?: string;
  body?: object;
  options?: RequestOptions;
}

type Requests = (named: Named, open: Named) => NamingRequest;

const query =
  (name: string, kind: keyof Named): Requests =>
  (named) => ({ query: `?${name}=${encodeURIComponent(named[kind])}` });

const body =
  (of: (named: Named, open: Named) => object): Requests =>
  (named, open) => ({ body: of(named, open) });

const operation = (of: (named: Named, open: Named) => object): Requests =>
  body((named, open) => ({ operations: [of(named, open)] }));

const text = { title: 'New', content: 'New.' };

const LISTS: Readonly<Record<string, Requests>> = {
  ids: query('ids', 'doc'),
  externalId: query('externalId', 'externalId'),
  collection: query('collection', 'col'),
};

/**
 * Requests of each operation for each field of its query or body that names a document, a collection or what belongs to
 * one. Those with a path are for a document or collection that everyone can change.
 */
export const NAMING: Readonly<Record<string, Readonly<Record<string, Requests>>>> = {
  createCollection: { parentId: body(({ col }) => ({ name: 'New', parentId: col })) },
  patchCollection: { parentId: body(({ col }) => ({ parentId: col })) },
  createDocument: {
    collectionId: body(({ col }) => ({ ...text, collectionId: col })),
  },
  listDocuments: LISTS,
  countDocuments: LISTS,
  batchDocuments: {
    collectionId: operation(({ col }) => ({
      op: 'create',
      document: { ...text, collectionId: col },
    })),
    'collectionId of an update': operation(({ col }, { doc }) => ({
      op: 'update',
      id: doc,
      patch: { collectionId: col },
    })),
    id: operation(({ doc }) => ({ op: 'update', id: doc, patch: { title: 'Taken' } })),
    'id of a deletion': operation(({ doc }) => ({ op: 'delete', id: doc })),
    'id of a restoration': operation(({ doc }) => ({ op: 'restore', id: doc })),
  },
  putDocumentByExternalId: {
    collectionId: body(({ col }) => ({ ...text, collectionId: col })),
  },
  importDocument: {
    collectionId: ({ col }) => {
      const file = { name: 'new.md', type: 'text/markdown', content: '# New' };
      const form = formWith(file, { collectionId: col });
      return { options: { rawBody: form.body, headers: { 'content-type': form.contentType } } };
    },
  },
  patchDocument: { collectionId: body(({ col }) => ({ collectionId: col })) },
  replaceDocument: { collectionId: body(({ col }) => ({ ...text, collectionId: col })) },
  copyDocument: { collectionId: body(({ col }) => ({ collectionId: col })) },
  restoreDocument: { collectionId: body(({ col }) => ({ collectionId: col })) },
  analyzeText: {
    documentId: body(({ doc }) => ({ content: 'A text.', store: false, documentId: doc })),
  },
  listEvents: { documentId: query('documentId', 'doc'), requestId: query('requestId', 'req') },
  streamEvents: { presenceOf: query('presenceOf', 'doc') },
  listAllDeliveries: {
    documentId: query('documentId', 'doc'),
  },
  createRelease: {
    id: body(({ doc }) => ({ title: 'New', items: [{ id: doc, action: 'publish' }] })),
  },
  patchRelease: {
    id: body(({ doc }) => ({ items: [{ id: doc, action: 'publish' }] })),
  },
  listReleases: { documentId: query('documentId', 'doc') },
  listProposals: { documentId: query('documentId', 'doc') },
  listRequests: { requestId: query('requestId', 'req') },
  listAuditEntries: {
    resourceId: query('resourceId', 'doc'),
    requestId: query('requestId', 'req'),
  },
  createKey: {
    collections: body(({ col }) => ({
      name: 'New',
      scopes: ['documents:read'],
      collections: [col],
    })),
  },
  patchKey: { collections: body(({ col }) => ({ collections: [col] })) },
  approveAuthorization: { collections: body(({ col }) => ({ collections: [col] })) },
  createToken: {
    collections: body(({ col }) => ({ scopes: ['documents:read'], collections: [col] })),
    ids: body(({ doc }) => ({ scopes: ['documents:read'], documents: { ids: [doc] } })),
  },
};
