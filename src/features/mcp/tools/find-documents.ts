import { z } from 'zod';
import type { Api, Success } from '../api.js';
import {
  cursor,
  detail,
  documentId,
  documentStatus,
  documentType,
  limit,
  page,
  TEXT_IS_DATA,
} from '../schemas.js';
import { defineTool } from '../tool.js';
import { documentFacts, factsOf, pageOf, type Document } from './document-facts.js';

const FIND_ONE = 'read_document reads one of them by its id.';

/** One value, or several of which a document must have one. */
const severalOf = <Value extends z.ZodType>(value: Value) =>
  z.union([value, z.array(value).min(1).max(20)]).optional();

const filters = {
  ids: z.array(documentId).max(100).optional().describe('These documents only.'),
  externalId: severalOf(z.string()).describe('What another system calls it.'),
  type: severalOf(documentType),
  status: severalOf(documentStatus),
  tags: z.array(z.string()).max(20).optional().describe('Tags that a document must all have.'),
  department: severalOf(z.string()),
  project: severalOf(z.string()),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .describe('Other keys of the metadata, with the value each must have, as text.'),
  createdAfter: z.string().optional().describe('A time, such as 2026-11-20T00:00:00Z.'),
  createdBefore: z.string().optional(),
  updatedAfter: z.string().optional(),
  updatedBefore: z.string().optional(),
  limit,
  cursor,
  detail,
};

const found = z.object({
  documents: z.array(documentFacts),
  ...page,
});

interface Filters {
  tags?: string[] | undefined;
  metadata?: Record<string, string> | undefined;
  detail: 'short' | 'full';
  [name: string]: unknown;
}

export const searchDocuments = defineTool({
  name: 'search_documents',
  title: 'Search documents',
  description: `Finds documents by words in their title and text, best match first, with a highlight of what was found. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(500)
      .describe(
        'Words to look for; "in quotes" a phrase, -word to leave out, or between alternatives.',
      ),
    ...filters,
  }),
  output: found,
  effect: 'reads',
  run: ({ query, ...args }, api) => find(api, args, { q: query, sort: 'relevance' }),
});

export const listDocuments = defineTool({
  name: 'list_documents',
  title: 'List documents',
  description: `Lists documents, newest first, or as filters and sort say. To find words in texts use search_documents. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    ...filters,
    sort: z.enum(['created_at', 'updated_at', 'title', 'word_count']).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    deleted: z
      .boolean()
      .optional()
      .describe('true lists what was deleted and can still be restored, instead of what is there.'),
  }),
  output: found,
  effect: 'reads',
  run: (args, api) => find(api, args, {}),
});

async function find(
  api: Api,
  { tags, metadata = {}, detail: wanted, ...rest }: Filters,
  more: Record<string, string>,
): Promise<z.input<typeof found>> {
  const byKey = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value]);
  const { data, meta }: Success<Document[]> = await api.get('/documents', {
    ...(rest as Record<string, string>),
    ...more,
    tag: tags,
    ...(Object.fromEntries(byKey) as Record<string, string>),
  });
  const documents = data.map((document) =>
    wanted === 'full' ? { ...document } : shortOf(document),
  );
  return { documents, ...pageOf(meta, data.length, FIND_ONE) };
}

function shortOf(document: Document): z.input<typeof documentFacts> {
  const { highlight, deletedAt, excerpt } = document;
  return {
    ...factsOf(document),
    ...(highlight ? { highlight } : { excerpt: excerpt?.slice(0, 100).toWellFormed() }),
    ...(deletedAt !== undefined && { deletedAt }),
  };
}
