// Code that a user of @hey-api/openapi-ts writes: the generator creates the folder `hey-api`. Prints the created document.
import { client } from './hey-api/client.gen.js';
import { createDocument, listDocuments, readDocument } from './hey-api/index.js';
import type { CreateDocumentData } from './hey-api/index.js';

export const bodies: CreateDocumentData['body'][] = [
  { title: 'Notes' },
  { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
  // @ts-expect-error: neither a title nor a template
  {},
];

client.setConfig({
  baseUrl: process.env['DOCUMENT_SERVICE_URL'] ?? '',
  auth: process.env['DOCUMENT_SERVICE_KEY'] ?? '',
});
const created = await createDocument({ body: { title: 'hey-api' }, throwOnError: true });
const { id, title } = created.data.data;
const read = await readDocument({ path: { id }, throwOnError: true });
const listed = await listDocuments({ query: { limit: 100 }, throwOnError: true });
console.log(JSON.stringify({ id, title, read: read.data.data, listed: listed.data.data }));
