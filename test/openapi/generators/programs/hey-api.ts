import { createDocument, listDocuments, readDocument } from '../out/hey-api/index';
import type { CreateDocumentData, Document } from '../out/hey-api/index';
import { client } from '../out/hey-api/client.gen';
import { key, origin, report } from './service';

export const bodies: CreateDocumentData['body'][] = [
  { title: 'Notes' },
  { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
  // @ts-expect-error: neither a title nor a template
  {},
];

async function main() {
  client.setConfig({ baseUrl: origin, auth: key });
  const created = await createDocument({ body: { title: 'hey-api' }, throwOnError: true });
  const { id } = created.data.data;
  const read = await readDocument({ path: { id }, throwOnError: true });
  const listed = await listDocuments({ query: { limit: 100 }, throwOnError: true });
  report(created.data.data, read.data.data as Document, listed.data.data as Document[]);
}

void main();
