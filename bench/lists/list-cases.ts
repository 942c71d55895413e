import { callApi, type Participant } from '../participant.js';

/** One kind of list, and the path that asks for it. */
export interface ListCase {
  name: string;
  path: string;
}

const DOCUMENTS = '/v1/documents';

/** The lists to measure on an account of so many documents, one second apart, the newest of now. */
export async function listCases(service: Participant, documents: number): Promise<ListCase[]> {
  const { envelope } = await callApi(service, `${DOCUMENTS}?limit=1`);
  const [newest] = envelope.data as { createdBy: { id: string }; createdAt: string }[];
  if (!newest) throw new Error('The account has no documents.');
  const middle = new Date(Date.parse(newest.createdAt) - (documents / 2) * 1_000).toISOString();
  const deep = `page=${String(documents / 200)}&limit=100`;
  const filters: [string, string][] = [
    ['type', 'type=report'],
    ['status', 'status=draft'],
    ['tag', 'tag=q3'],
    ['two tags', 'tag=q3&tag=review'],
    ['department', 'department=finance'],
    ['project', 'project=project-3'],
    ['metadata', 'metadata.project=project-3'],
    ['createdBy', `createdBy=${newest.createdBy.id}`],
    ['createdAfter', `createdAfter=${middle}`],
    ['createdBefore', `createdBefore=${middle}`],
    ['updatedAfter', `updatedAfter=${middle}`],
    ['updatedBefore', `updatedBefore=${middle}`],
    ['deleted', 'deleted=true'],
    ['q, a frequent word', 'q=revenue'],
    ['q, three frequent words', 'q=revenue+pilot+team'],
    ['q, a rare word', 'q=4711'],
    ['q and type', 'q=revenue&type=report'],
    ['q, newest first', 'q=revenue&sort=created_at'],
    ['type, by title', 'type=report&sort=title'],
    ['trash, by title', 'deleted=true&sort=title'],
  ];
  return [
    { name: 'first page', path: DOCUMENTS },
    ...filters.map(([name, query]) => ({ name, path: `${DOCUMENTS}?${query}` })),
    { name: 'facets', path: `${DOCUMENTS}/facets` },
    { name: 'facets of a type', path: `${DOCUMENTS}/facets?type=report` },
    { name: 'facets of q', path: `${DOCUMENTS}/facets?q=revenue` },
    { name: 'middle page × 100', path: `${DOCUMENTS}?${deep}` },
    { name: 'middle page × 100, by title', path: `${DOCUMENTS}?${deep}&sort=title` },
    { name: 'type, page 50 × 20', path: `${DOCUMENTS}?type=report&page=50` },
    await cursorCase(service, 'cursor from the middle', deep),
    await cursorCase(service, 'cursor, type', 'type=report'),
    await cursorCase(service, 'cursor, type by title', 'type=report&sort=title'),
    await cursorCase(service, 'cursor, q', 'q=revenue'),
  ];
}

/** The page after this one. */
async function cursorCase(service: Participant, name: string, query: string): Promise<ListCase> {
  const { envelope } = await callApi(service, `${DOCUMENTS}?${query}`);
  const { nextCursor } = (envelope.meta?.pagination ?? {}) as { nextCursor?: string | null };
  if (!nextCursor) throw new Error(`The page ${query} has none after it.`);
  const kept = query.replace(/(^|&)page=\d+/, '').replace(/^&/, '');
  return { name, path: `${DOCUMENTS}?${kept}&cursor=${nextCursor}` };
}
