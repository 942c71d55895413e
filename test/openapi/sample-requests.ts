import type { RequestBodyObject } from '@nestjs/swagger';
import type { Operation } from './api-document.js';

/** Valid bodies of operations that have no example of one. */
const BODIES: Readonly<Record<string, object>> = {
  replaceDocument: { title: 'Mine' },
  putDocumentByExternalId: { title: 'Mine' },
  proposeChanges: { title: 'Mine' },
  dismissIssues: { issueIds: ['iss_1'] },
  acceptSuggestions: { suggestionIds: ['sug_1'] },
  rejectSuggestions: { suggestionIds: ['sug_1'] },
  holdPresence: { state: 'viewing' },
  recoverDeliveries: { since: '2026-01-01T00:00:00Z' },
  setCollectionAccess: { access: null },
  replaceTemplate: { name: 'Mine' },
  putSchedule: { unpublishAt: '2030-01-15T08:00:00Z' },
};

/** Queries of operations that need one. */
export const QUERIES: Readonly<Record<string, string>> = {
  exportDocument: '?format=md',
  deleteDocument: '?permanent=true',
};

/** Returns a valid body of an operation; `undefined` if it takes none. */
export function bodyOf({ operationId, requestBody }: Operation): object | undefined {
  const { content } = (requestBody ?? { content: {} }) as RequestBodyObject;
  const { examples = {}, example } =
    content['application/json'] ?? content['application/merge-patch+json'] ?? {};
  const [first] = Object.values(examples) as { value: object }[];
  return BODIES[operationId] ?? first?.value ?? (example as object | undefined);
}
