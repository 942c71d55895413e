// Generates only types; the requests are ours.
import type {
  CreateDocument201,
  CreateDocumentMutationRequest,
} from '../out/kubb/types/CreateDocument';
import type { Document } from '../out/kubb/types/Document';
import type { ListDocuments200 } from '../out/kubb/types/ListDocuments';
import type { ReadDocument200 } from '../out/kubb/types/ReadDocument';
import { authorization, origin, report } from './service';

export const bodies: CreateDocumentMutationRequest[] = [
  { title: 'Notes' },
  { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
  // @ts-expect-error: neither a title nor a template
  {},
];

async function call<Answer>(path: string, body?: CreateDocumentMutationRequest): Promise<Answer> {
  const answer = await fetch(origin + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...authorization, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Answer;
}

async function main() {
  const created = await call<CreateDocument201>('/v1/documents', { title: 'kubb' });
  const read = await call<ReadDocument200>(`/v1/documents/${created.data.id}`);
  const listed = await call<ListDocuments200>('/v1/documents?limit=100');
  report(created.data, read.data as Document, listed.data as Document[]);
}

void main();
