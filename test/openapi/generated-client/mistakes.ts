// Never runs. Contains calls that the generated types refuse: a directive without an error below it is an error.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const client = createClient<paths>();
// openapi-fetch accepts an extra field, because its parameters are generic. The type of the body does not.
type CreateDocument = components['schemas']['CreateDocument'];
type Operation = components['schemas']['Batch']['operations'][number];

const path = { id: 'doc_01h455vb4pex5vsknk084sn02q' };

export const mistakes = [
  // @ts-expect-error: no such field
  (): CreateDocument => ({ titel: 'Misspelt' }),
  // @ts-expect-error: a document begins as a draft
  (): CreateDocument => ({ title: 'A', status: 'published' }),
  // @ts-expect-error: a document has a title, or a template that may have one
  () => client.POST('/v1/documents', { body: {} }),
  // @ts-expect-error: the variables of no template
  () => client.POST('/v1/documents', { body: { templateVariables: { client: 'Ada' } } }),
  // @ts-expect-error: so in batches
  (): Operation => ({ op: 'create', document: {} }),
  // @ts-expect-error: a title is a text
  () => client.POST('/v1/documents', { body: { title: 1 } }),
  // @ts-expect-error: no such type of documents
  () => client.POST('/v1/documents', { body: { title: 'A', type: 'novel' } }),
  // @ts-expect-error: the whole document has a title
  () => client.PUT('/v1/documents/{id}', { params: { path }, body: { content: 'a' } }),
  // @ts-expect-error: no such parameter
  () => client.GET('/v1/documents', { params: { query: { search: 'a' } } }),
  // @ts-expect-error: no such order
  () => client.GET('/v1/documents', { params: { query: { sort: 'size' } } }),
  // @ts-expect-error: the format has to be said
  () => client.GET('/v1/documents/{id}/export', { params: { path } }),
  // @ts-expect-error: a key has scopes
  () => client.POST('/v1/keys', { body: { name: 'A' } }),
  // @ts-expect-error: no such event
  () => client.POST('/v1/webhooks', { body: { url: 'https://example.com', events: ['document'] } }),
  // @ts-expect-error: the rules of a kind have its fields
  () => client.POST('/v1/style-rules', { body: { rules: [{ id: 'a', kind: 'banned' }] } }),
];

/** Calls that they accept. */
export const documents = [
  () => client.POST('/v1/documents', { body: { title: 'A' } }),
  () => client.POST('/v1/documents', { body: { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' } }),
  () =>
    client.POST('/v1/documents', {
      body: { title: 'A', templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
    }),
];
