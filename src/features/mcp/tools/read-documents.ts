import { z } from 'zod';
import type { Api, Success } from '../api.js';
import { findSection, passageOf, sectionsOf, type Section } from '../passages.js';
import {
  collectionId,
  cursor,
  detail,
  documentFacts,
  documentId,
  documentStatus,
  documentType,
  factsOf,
  limit,
  next,
  page,
  pageOf,
  SHORT_TEXT,
  TEXT_IS_DATA,
  versionNumber,
  type Document,
} from '../schemas.js';
import { defineTool, ToolError } from '../tool.js';

const FIND_ONE = 'read_document reads one of them by its id.';

/** Keys that may read nothing else always get published versions. */
const READER_SCOPES = ['documents:read_published'] as const;

const published = z
  .boolean()
  .optional()
  .describe(
    'true reads published versions: what readers get, without unpublished changes. Keys that may read nothing else always get them.',
  );

/** One value, or a list of values of which the document must have at least one. */
const severalOf = <Value extends z.ZodType>(value: Value) =>
  z.union([value, z.array(value).min(1).max(20)]).optional();

const filters = {
  ids: z.array(documentId).max(100).optional().describe('Only these documents.'),
  externalId: severalOf(z.string()).describe('Id of the document in another system.'),
  collection: severalOf(z.union([z.literal('root'), collectionId])).describe(
    'Only documents in this collection and in those below it. `root`: only those in no collection.',
  ),
  type: severalOf(documentType),
  status: severalOf(documentStatus),
  tags: z
    .array(z.string())
    .max(20)
    .optional()
    .describe('Tags that a document must have, all of them.'),
  department: severalOf(z.string()),
  project: severalOf(z.string()),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .describe('Other metadata keys, with the value that each must have, as text.'),
  createdAfter: z.string().optional().describe('A time, such as 2026-11-20T00:00:00Z.'),
  createdBefore: z.string().optional(),
  updatedAfter: z.string().optional(),
  updatedBefore: z.string().optional(),
  published,
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
  published?: boolean | undefined;
  detail: 'short' | 'full';
  [name: string]: unknown;
}

export const searchDocuments = defineTool({
  name: 'search_documents',
  title: 'Search documents',
  description: `Finds documents by words in their title and text, best match first, with the matches highlighted. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(500)
      .describe(
        'Words to search for. Use "quotes" for a phrase, -word to exclude a word, and or between alternatives.',
      ),
    ...filters,
  }),
  output: found,
  effect: 'reads',
  scopes: ['documents:read'],
  orScopes: READER_SCOPES,
  run: ({ query, ...args }, api) => find(api, args, { q: query, sort: 'relevance' }),
});

export const listDocuments = defineTool({
  name: 'list_documents',
  title: 'List documents',
  description: `Lists documents, newest first, or by filters and sort order. To find words in texts, use search_documents. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    ...filters,
    sort: z.enum(['created_at', 'updated_at', 'title', 'word_count']).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    deleted: z
      .boolean()
      .optional()
      .describe(
        'true lists deleted documents that can still be restored, instead of existing ones.',
      ),
    unpublishedChanges: z
      .boolean()
      .optional()
      .describe('true lists only published documents with unpublished changes.'),
  }),
  output: found,
  effect: 'reads',
  scopes: ['documents:read'],
  orScopes: READER_SCOPES,
  run: ({ unpublishedChanges, ...args }, api) =>
    find(api, args, unpublishedChanges ? { unpublishedChanges: 'true' } : {}),
});

async function find(
  api: Api,
  { tags, metadata = {}, published: isPublished, detail: wanted, ...rest }: Filters,
  more: Record<string, string>,
): Promise<z.input<typeof found>> {
  const byKey = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value]);
  const { data, meta }: Success<Document[]> = await api.get('/documents', {
    ...(rest as Record<string, string>),
    ...more,
    tag: tags,
    perspective: isPublished ? 'published' : undefined,
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

/** Maximum number of headings in an outline, and of characters per heading. */
const MAX_HEADINGS = 60;
const MAX_HEADING = 120;
const MAX_LENGTH = 100_000;

const outlineEntry = z.object({
  level: z.int(),
  heading: z.string(),
  from: z.int().describe('Character where it begins.'),
});

export const readDocument = defineTool({
  name: 'read_document',
  title: 'Read a document',
  description: `Reads a document: its properties, its \`version\` (send it with every change) and the first ${String(SHORT_TEXT)} characters of its text, with an outline if there is more. Use \`from\`, \`section\` or \`detail: "full"\` to read more. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: documentId,
    section: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .describe('A heading of the outline, to read only its section.'),
    from: z.int().min(0).optional().describe('Character to start at.'),
    length: z
      .int()
      .min(1)
      .max(MAX_LENGTH)
      .default(SHORT_TEXT)
      .describe('Maximum number of characters to return.'),
    detail: z
      .enum(['short', 'full'])
      .default('short')
      .describe('`full` returns the whole text, up to 1 MiB, and all other fields.'),
    atVersion: versionNumber
      .optional()
      .describe('An earlier version, by its number from list_versions.'),
    published,
  }),
  output: z.object({
    document: documentFacts,
    text: z.string(),
    from: z.int(),
    to: z.int(),
    characters: z.int().describe('Length of the whole text.'),
    outline: z.array(outlineEntry).optional(),
    next,
  }),
  effect: 'reads',
  scopes: ['documents:read'],
  orScopes: READER_SCOPES,
  run: async ({ id, section, from, length, detail: wanted, ...which }, api) => {
    const read = await readVersion(api, id, which);
    const { content, ...facts } = asDocument(id, read.data);
    const document = wanted === 'full' ? facts : factsOf({ ...facts, content });
    const sections = sectionsOf(content);
    const range = section === undefined ? undefined : rangeOf(sections, section);
    const start = from ?? range?.start ?? 0;
    const end = range && from === undefined ? range.end : content.length;
    const available = Math.max(end - start, 0);
    const size = wanted === 'full' ? available : Math.min(length, available);
    const passage = passageOf(content, start, size);
    const isAll = passage.from === 0 && passage.to === content.length;
    return {
      document,
      ...passage,
      characters: content.length,
      ...(isAll || sections.length === 0 ? {} : { outline: outlineOf(sections) }),
      next: nextStep(passage.to, end, content.length, adviceOn(read.data)),
    };
  },
});

/** A document, or a version of it with its number. */
type ReadDocument = Document & { number?: number };

function readVersion(
  api: Api,
  id: string,
  { atVersion, published }: { atVersion?: number | undefined; published?: boolean | undefined },
): Promise<Success<ReadDocument>> {
  if (atVersion === undefined)
    return api.get(`/documents/${id}`, { version: published ? 'published' : undefined });
  if (!published) return api.get(`/documents/${id}/versions/${String(atVersion)}`);
  throw new ToolError('Send either atVersion or published, and call read_document again.');
}

/** Returns what can be done with what was read. */
function adviceOn({ number, publishedAt }: ReadDocument): string {
  if (publishedAt !== undefined) return 'This is the published version, which readers get.';
  return number === undefined
    ? 'To change it, call edit_document or propose_edit with this version.'
    : 'This is an earlier version: diff_versions compares it, restore_version restores it.';
}

/** Converts a version: its number becomes the document's version, and its creation time the last change. */
function asDocument(id: string, data: ReadDocument): Document {
  if (data.number === undefined) return data;
  return { ...data, id, version: data.number, updatedAt: data.createdAt };
}

function rangeOf(sections: readonly Section[], heading: string): Section {
  const section = findSection(sections, heading);
  if (section) return section;
  throw new ToolError(noSection(sections, heading));
}

/** Returns the error for a heading that is not in the text. */
export function noSection(sections: readonly Section[], heading: string): string {
  const known = sections.slice(0, MAX_HEADINGS).map((section) => `"${short(section.heading)}"`);
  const there =
    known.length === 0 ? 'It has no headings.' : `Its headings are ${known.join(', ')}.`;
  return `The document has no section "${short(heading)}". ${there} Call read_document without section to see the text.`;
}

function outlineOf(sections: readonly Section[]): z.input<typeof outlineEntry>[] {
  return sections
    .slice(0, MAX_HEADINGS)
    .map(({ level, heading, start }) => ({ level, heading: short(heading), from: start }));
}

function short(heading: string): string {
  return heading.slice(0, MAX_HEADING).toWellFormed();
}

function nextStep(to: number, end: number, characters: number, advice: string): string {
  if (to >= end)
    return to >= characters ? `The text ends here. ${advice}` : `The section ends here. ${advice}`;
  return `There is more: call read_document with from: ${String(to)}, with section: a heading of the outline, or with detail: "full" for all ${String(characters)} characters. ${advice}`;
}
