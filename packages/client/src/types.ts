import type { components, operations, paths, webhooks } from './schema.js';
import type { RequestOptions } from './transport.js';

/** The schemas of the API document by name. */
export type Schemas = components['schemas'];

export type Document = Schemas['Document'];
export type DocumentListItem = Schemas['DocumentListItem'];
export type Template = Schemas['Template'];
export type Webhook = Schemas['Webhook'];
export type Job = Schemas['Job'];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Paths with an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, { responses: unknown }> ? P : never;
}[keyof paths];

export type OperationAt<M extends Method, P extends PathOf<M>> =
  paths[P] extends Record<Lowercase<M>, infer Operation> ? Operation : never;

type Id = keyof operations;

/** Also accepts a boolean. */
type Flag<T> = [T] extends ['true' | 'false' | undefined] ? T | boolean : T;

/** Also accepts a single value instead of a list. */
type OneOrMore<T> = T extends readonly (infer Item)[] ? Item | readonly Item[] : T;

type QueryAt<Operation> = Operation extends { parameters: { query?: infer Q } }
  ? { [K in keyof Q]: K extends 'metadata' ? MetadataFilter | undefined : OneOrMore<Flag<Q[K]>> }
  : undefined;

/** A key of `metadata` with a value, or with several values of which one must match. */
interface MetadataFilter {
  readonly [key: string]: MetadataValue | readonly MetadataValue[] | MetadataFilter;
}

type MetadataValue = string | number | boolean;

/** Options of a read that selects fields. The id is always included. */
export type FieldsOptions<Field> = RequestOptions & { fields: readonly Field[] };

/** A query that may select fields. The id is always included. */
export type FieldsQuery<Operation extends Id, Field> = Omit<Query<Operation>, 'fields'> & {
  fields?: readonly Field[] | undefined;
};

/** The query parameters of an operation. */
export type Query<Operation extends Id> = QueryAt<operations[Operation]>;

/** A body that is sent unchanged. */
export type RawBody = string | Blob | ArrayBuffer | FormData;

type BodyAt<Operation> = Operation extends { requestBody?: { content: infer Content } }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : RawBody
  : undefined;

type DataAt<Operation> = Operation extends { responses: infer Responses }
  ? DataIn<Responses[keyof Responses & (200 | 201 | 202)]>
  : never;

type DataIn<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json extends { data: infer Data }
      ? Data
      : Json
    : Content extends { 'text/plain': unknown }
      ? string
      : Blob
  : never;

/** `data` in the response of an operation. */
export type Data<M extends Method, P extends PathOf<M>> = DataAt<OperationAt<M, P>>;

export type RequestParts<Operation> = RequestOptions & {
  query?: QueryAt<Operation>;
} & (Operation extends {
    parameters: { path: infer Path };
  }
    ? { path: { [K in keyof Path]: string | number } }
    : { path?: undefined }) &
  (Operation extends { requestBody: unknown }
    ? { body: BodyAt<Operation> }
    : { body?: BodyAt<Operation> });

/** Optional if the operation requires no parts. */
export type Parts<Operation> =
  RequestParts<Operation> extends { path: unknown } | { body: unknown }
    ? [parts: RequestParts<Operation>]
    : [parts?: RequestParts<Operation>];

/** Reads a member that only some types of a union have as `undefined` in the others. */
type AnyMember<Union, All> = Union extends unknown
  ? Union & Partial<Record<Exclude<All, keyof Union> & string, undefined>>
  : never;
type KeyIn<Union> = Union extends unknown ? keyof Union : never;

/**
 * The document of an event. Thin events have only `id`, `type`, `status` and `version`; after a permanent deletion,
 * `removed` is true.
 */
export type EventDocument = AnyMember<Schemas['EventDocument'], KeyIn<Schemas['EventDocument']>>;

/** Named members, with a readable document, and any further ones. */
type EventData<Data> = Record<string, unknown> & {
  [Key in keyof Data as string extends Key ? never : Key]: Key extends 'document'
    ? EventDocument
    : Data[Key];
};

type EventOf<Type, Event extends { data: unknown }> = Omit<Schemas['Event'], 'type' | 'data'> & {
  type: Type;
  data: EventData<Event['data']>;
};

/** An event of a type that this version of the client knows, discriminated by `type`. */
export type KnownEvent = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: {
      requestBody: { content: { 'application/json': infer Event extends { data: unknown } } };
    };
  }
    ? EventOf<Type, Event>
    : never;
}[keyof webhooks];

/**
 * An event of a type that the service added later. TypeScript has no type for "any other string", so the pattern of `type`
 * stands for one: it equals no known type, and is assignable to `string`.
 */
export type LaterEvent = Omit<Schemas['Event'], 'type'> & { type: `(added later) ${string}` };

/**
 * An event as delivered, listed and streamed. Comparing `type` with a known type narrows it. The service may add types, so
 * handle the others too: with `default` in a `switch`, or with an `else`.
 */
export type WebhookEvent = KnownEvent | LaterEvent;
