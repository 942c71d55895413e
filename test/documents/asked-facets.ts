import type { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { ask, type ModelQuery } from './search-model.js';

/** Counts by value of each facet, as the service answers them. */
export async function askFacets(
  api: ApiClient,
  query: ModelQuery,
): Promise<Record<string, Map<string, number>>> {
  const response = await ask(api, query, {}, '/v1/documents/facets');
  const shown = expectSuccess(response) as Record<string, { value: string; count: number }[]>;
  return Object.fromEntries(
    Object.entries(shown).map(([facet, values]) => [
      facet,
      new Map(values.map(({ value, count }) => [value, count])),
    ]),
  );
}
