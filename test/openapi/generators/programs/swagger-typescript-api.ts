import { Api } from '../out/swagger-typescript-api/client';
import type {
  CreateDocument,
  CreateDocumentFromTemplate,
  Document,
} from '../out/swagger-typescript-api/client';
import { authorization, origin, report } from './service';

export const bodies: (CreateDocument | CreateDocumentFromTemplate)[] = [
  { title: 'Notes' },
  { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
  // @ts-expect-error: neither a title nor a template
  {},
];

async function main() {
  const { v1 } = new Api({ baseUrl: origin, baseApiParams: { headers: authorization } });
  const created = await v1.createDocument({ title: 'swagger-typescript-api' });
  const read = await v1.readDocument(created.data.data.id);
  const listed = await v1.listDocuments({ limit: 100 });
  report(created.data.data, read.data.data as Document, listed.data.data as Document[]);
}

void main();
