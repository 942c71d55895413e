import { createApiClient, schemas } from '../out/openapi-zod-client/client';
import { authorization, origin, report } from './service';

async function main() {
  const { createDocument_Body } = schemas;
  if (createDocument_Body.safeParse({}).success) throw new Error('An empty body is taken.');
  createDocument_Body.parse({ templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' });
  // Parses every response.
  const client = createApiClient(origin, { axiosConfig: { headers: authorization } });
  const created = await client.createDocument({ title: 'openapi-zod-client' });
  const { id, title } = created.data;
  const read = await client.readDocument({ params: { id } });
  const listed = await client.listDocuments({ queries: { limit: 100 } });
  report(
    { id, title },
    { id: String(read.data.id), title: String(read.data.title) },
    listed.data.map((item) => ({ id: String(item.id), title: String(item.title) })),
  );
}

void main();
