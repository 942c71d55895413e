import { sampleDocuments } from './documents.js';
import type { LoadRequest } from './load/messages.js';
import type { Participant } from './participant.js';
import { callApi } from './participant.js';

export const PAGE_400 = '/v1/documents?page=400&limit=20';

const BIGGEST_PAGE = 100;
const PAGES_OF_IDS = 40;
const DIFFERENT_BODIES = 200;

/** One kind of request, compared by requests/s. */
export interface Scenario {
  name: 'read' | 'list' | 'page-400' | 'create';
  title: string;
  /** The least ratio to the baseline to reach with this many documents; undefined: only shown. */
  goal: (documents: number) => number | undefined;
  requests: (participant: Participant, documents: number) => Promise<LoadRequest[]>;
}

/** In the order they run: creates come last, because they grow the table. */
export const SCENARIOS: Scenario[] = [
  { name: 'read', title: 'read one', goal: () => 0.6, requests: readRandomDocuments },
  {
    name: 'list',
    title: 'list first page',
    goal: () => 1.8,
    requests: () => Promise.resolve([get('/v1/documents')]),
  },
  {
    name: 'page-400',
    title: 'page 400',
    goal: (documents) => (documents >= 200_000 ? 10 : undefined),
    requests: () => Promise.resolve([get(PAGE_400)]),
  },
  { name: 'create', title: 'create', goal: () => 0.5, requests: createDocuments },
];

function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

/** Creations of different documents of about 2 KB. */
export function createDocuments(): Promise<LoadRequest[]> {
  const documents = sampleDocuments(DIFFERENT_BODIES).map((document): LoadRequest => {
    const headers = { 'Content-Type': 'application/json' };
    return { method: 'POST', path: '/v1/documents', body: JSON.stringify(document), headers };
  });
  return Promise.resolve(documents);
}

/** Reads of up to 4,000 documents, taken from pages spread over the whole account. */
export async function readRandomDocuments(
  participant: Participant,
  documents: number,
): Promise<LoadRequest[]> {
  const pages = Math.ceil(documents / BIGGEST_PAGE);
  const step = Math.max(1, pages / PAGES_OF_IDS);
  const ids: string[] = [];
  for (let page = 1; page <= pages; page += step) {
    const query = `page=${String(Math.floor(page))}&limit=${String(BIGGEST_PAGE)}`;
    const { envelope } = await callApi(participant, `/v1/documents?${query}`);
    ids.push(...(envelope.data as { id: string }[]).map(({ id }) => id));
  }
  return ids.map((id) => get(`/v1/documents/${id}`));
}
