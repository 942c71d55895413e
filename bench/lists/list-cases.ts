import { VOCABULARY } from '../ordinary/texts.js';
import { callApi, type Participant } from '../participant.js';

/** A kind of list, with its path. */
export interface ListCase {
  name: string;
  path: string;
  /** Each request has a different bound that all documents meet, so no cached result helps. */
  isNew?: boolean;
}

/** Returns the path of the nth request. */
export function pathOf({ path, isNew }: ListCase, n: number): string {
  if (!isNew) return path;
  const bound = new Date(Date.UTC(2100, 0, 1) + n * 1_000).toISOString();
  return `${path}&updatedBefore=${bound}`;
}

const DOCUMENTS = '/v1/documents';

/** Returns the lists to measure on an account with this many documents, one second apart, the newest created now. */
export async function listCases(service: Participant, documents: number): Promise<ListCase[]> {
  const { envelope } = await callApi(service, `${DOCUMENTS}?limit=1`);
  const [newest] = envelope.data as { createdBy: { id: string }; createdAt: string }[];
  if (!newest) throw new Error('The account has no documents.');
  const middle = new Date(Date.parse(newest.createdAt) - (documents / 2) * 1_000).toISOString();
  const [first = '', second = '', third = ''] = VOCABULARY;
  const deep = `page=${String(documents / 200)}&limit=100`;
  const filters: [string, string][] = [
    ['type', 'type=report'],
    ['status', 'status=draft'],
    ['tag', `tag=${first}`],
    ['two tags', `tag=${first}&tag=${second}`],
    ['department', 'department=finance'],
    ['project', 'project=project-3'],
    ['metadata', 'metadata.project=project-3'],
    ['createdBy', `createdBy=${newest.createdBy.id}`],
    ['createdAfter', `createdAfter=${middle}`],
    ['createdBefore', `createdBefore=${middle}`],
    ['updatedAfter', `updatedAfter=${middle}`],
    ['updatedBefore', `updatedBefore=${middle}`],
    ['deleted', 'deleted=true'],
    ['q, a frequent word', `q=${first}`],
    ['q, three frequent words', `q=${first}+${second}+${third}`],
    ['q, words of medium frequency', `q=${VOCABULARY[500] ?? ''}+${VOCABULARY[700] ?? ''}`],
    ['q, a rare word', 'q=711'],
    ['q and type', `q=${first}&type=report`],
    ['q, newest first', `q=${first}&sort=created_at`],
    ['type, by title', 'type=report&sort=title'],
    ['trash, by title', 'deleted=true&sort=title'],
  ];
  return [
    { name: 'first page', path: DOCUMENTS },
    ...filters.map(([name, query]) => ({ name, path: `${DOCUMENTS}?${query}` })),
    { name: 'facets', path: `${DOCUMENTS}/facets` },
    ...facetCases('a type', 'type=report'),
    ...facetCases('q', `q=${first}`),
    ...facetCases('a word of medium frequency', `q=${VOCABULARY[500] ?? ''}`),
    { name: 'middle page × 100', path: `${DOCUMENTS}?${deep}` },
    { name: 'middle page × 100, by title', path: `${DOCUMENTS}?${deep}&sort=title` },
    { name: 'type, page 50 × 20', path: `${DOCUMENTS}?type=report&page=50` },
    await cursorCase(service, 'cursor from the middle', deep),
    await cursorCase(service, 'cursor, type', 'type=report'),
    await cursorCase(service, 'cursor, type by title', 'type=report&sort=title'),
    await cursorCase(service, 'cursor, q', `q=${first}`),
  ];
}

/** Facets that are not cached, and facets that are. */
function facetCases(what: string, query: string): ListCase[] {
  const path = `${DOCUMENTS}/facets?${query}`;
  return [
    { name: `facets of ${what}, the first time`, path, isNew: true },
    { name: `facets of ${what}, again`, path },
  ];
}

/** Returns the page after this one. */
async function cursorCase(service: Participant, name: string, query: string): Promise<ListCase> {
  const { envelope } = await callApi(service, `${DOCUMENTS}?${query}`);
  const { nextCursor } = (envelope.meta?.pagination ?? {}) as { nextCursor?: string | null };
  if (!nextCursor) throw new Error(`The page ${query} has none after it.`);
  const kept = query.replace(/(^|&)page=\d+/, '').replace(/^&/, '');
  return { name, path: `${DOCUMENTS}?${kept}&cursor=${nextCursor}` };
}
