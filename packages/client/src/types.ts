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

type DataIn<Answer> = Answer extends { content: infer Content }
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

/** An event as delivered, listed and streamed, discriminated by `type`. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } };
  }
    ? Event & { type: Type }
    : never;
}[keyof webhooks];
