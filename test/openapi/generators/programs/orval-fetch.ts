import { createDocument, listDocuments, readDocument } from '../out/orval-fetch/client';
import type { CreateDocumentBody, Document } from '../out/orval-fetch/client';
import { authorization, origin, report } from './service';

export const bodies: CreateDocumentBody[] = [
  { title: 'Notes' },
  { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
  // @ts-expect-error: neither a title nor a template
  {},
];

// The generated client calls paths without a host.
const send = globalThis.fetch;
globalThis.fetch = (path, init) =>
  send(new URL(path as string, origin), {
    ...init,
    headers: { ...(init?.headers as Record<string, string>), ...authorization },
  });

async function main() {
  const created = await createDocument({ title: 'orval' });
  if (created.status !== 201) throw new Error(created.data.error.message);
  const read = await readDocument(created.data.data.id);
  if (read.status !== 200) throw new Error(String(read.status));
  const listed = await listDocuments({ limit: 100 });
  if (listed.status !== 200) throw new Error(listed.data.error.message);
  report(created.data.data, read.data.data as Document, listed.data.data as Document[]);
}

void main();
