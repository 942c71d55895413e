import {
  createDocumentBody,
  listDocumentsResponse,
  readDocumentResponse,
} from '../out/orval-zod/schemas';
import { authorization, origin, report } from './service';

async function call(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(origin + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...authorization, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

async function main() {
  if (createDocumentBody.safeParse({}).success) throw new Error('An empty body is taken.');
  createDocumentBody.parse({ templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' });
  const body = createDocumentBody.parse({ title: 'orval zod', metadata: { tags: ['a'] } });
  // The response to a creation is a document too.
  const created = readDocumentResponse.parse(await call('/v1/documents', body));
  const id = String(created.data.id);
  const read = readDocumentResponse.parse(await call(`/v1/documents/${id}`));
  const listed = listDocumentsResponse.parse(await call('/v1/documents?limit=100'));
  report(
    { id, title: String(created.data.title) },
    { id: String(read.data.id), title: String(read.data.title) },
    listed.data.map((item) => ({ id: String(item.id), title: String(item.title) })),
  );
}

void main();
