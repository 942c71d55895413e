import { z } from 'zod';
import type { Success } from '../api.js';
import { next, skip, TEXT_IS_DATA } from '../schemas.js';
import { defineTool } from '../tool.js';

interface Collection {
  id: string;
  name: string;
  parentId: string | null;
  right: string;
  documentCount: number;
}

const facts = z.object({
  id: z.string(),
  path: z.string().describe('Names from the root, such as `Reports / 2026`.'),
  parentId: z.string().nullable(),
  right: z.string().describe('viewer reads, editor also writes, manager also sets who has access.'),
  documents: z.int().describe('Documents in it, without those of the collections below.'),
});

/** An account has at most this many collections. */
const MAX_COLLECTIONS = 1_000;
const SHOWN = 100;

export const listCollections = defineTool({
  name: 'list_collections',
  title: 'List collections',
  description: `Lists the collections (folders) that you can use, by path, with the number of documents in each. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    query: z.string().min(1).max(200).optional().describe('Part of the path.'),
    limit: z.int().min(1).max(MAX_COLLECTIONS).default(SHOWN),
    skip,
  }),
  output: z.object({ collections: z.array(facts), total: z.int(), next }),
  effect: 'reads',
  scopes: ['documents:read'],
  run: async ({ query = '', limit, skip: before }, api) => {
    const { data }: Success<Collection[]> = await api.get('/collections', {
      limit: MAX_COLLECTIONS,
      include: 'counts',
    });
    const byId = new Map(data.map((collection) => [collection.id, collection]));
    const pathOf = ({ name, parentId }: Collection): string => {
      const parent = parentId === null ? undefined : byId.get(parentId);
      return parent ? `${pathOf(parent)} / ${name}` : name;
    };
    const found = data
      .map((collection) => ({ ...collection, path: pathOf(collection) }))
      .filter(({ path }) => path.toLowerCase().includes(query.toLowerCase()))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    const shown = found.slice(before, before + limit);
    const seen = before + shown.length;
    const more =
      seen < found.length
        ? `There are more: call list_collections with skip: ${String(seen)} for the next ones. `
        : '';
    return {
      collections: shown.map(({ id, path, parentId, right, documentCount: documents }) => ({
        id,
        path,
        parentId,
        right,
        documents,
      })),
      total: found.length,
      next: `${more}list_documents with collection lists the documents in one, create_document and edit_document take a collectionId.`,
    };
  },
});
