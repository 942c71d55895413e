import type { LoadRequest } from './load/messages.js';
import type { Participant } from './participant.js';
import { callApi } from './participant.js';

export const PAGE_400 = '/v1/documents?page=400&limit=20';

const BIGGEST_PAGE = 100;
const PAGES_OF_IDS = 40;

/** A request that all connections repeat. Compared by requests/s. */
export interface Scenario {
  name: 'list' | 'page-400';
  title: string;
  /** Minimum ratio to the baseline with this many documents. Undefined if the ratio is only shown. */
  goal: (documents: number) => number | undefined;
  requests: LoadRequest[];
}

export const SCENARIOS: Scenario[] = [
  {
    name: 'list',
    title: 'list first page',
    goal: () => 1.8,
    requests: [get('/v1/documents')],
  },
  {
    name: 'page-400',
    title: 'page 400',
    goal: (documents) => (documents >= 200_000 ? 10 : undefined),
    requests: [get(PAGE_400)],
  },
];

function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

/** Returns reads of up to 4,000 documents from pages across the whole account. */
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
