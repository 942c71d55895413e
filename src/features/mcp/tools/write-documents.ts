import { z } from 'zod';
import { applyEdits, type TextEdit } from '../../content/text/text-edits.js';
import { ifMatch, type Api, type Success } from '../api.js';
import { findSection, sectionsOf } from '../passages.js';
import {
  changed,
  changedDocument,
  collectionId,
  documentId,
  documentStatus,
  documentType,
  idempotencyKey,
  metadata,
  next,
  templateId,
  versionSeen,
  type Document,
} from '../schemas.js';
import { defineTool, ToolError } from '../tool.js';
import { noSection } from './read-documents.js';

const content = z.string().describe('Text of the document, in Markdown.');
const title = z.string().min(1).max(500);
const place = collectionId.nullable().optional();
const newPlace = place.describe(
  'Id of the collection to put it into (col_…), from list_collections. Without it, or if null: at the root.',
);

export function keyed(key: string | undefined): Record<string, string> | undefined {
  return key === undefined ? undefined : { 'idempotency-key': key };
}

const NOW_EDIT = 'Change it with edit_document, sending this version.';

export const createDocument = defineTool({
  name: 'create_document',
  title: 'Create a document',
  description:
    'Creates a document. Show the user what you are going to write first, unless they requested it. To start from a template, use create_document_from_template.',
  input: z.strictObject({
    title,
    content: content.optional(),
    type: documentType.optional(),
    metadata: metadata.optional(),
    collectionId: newPlace,
    idempotencyKey,
  }),
  output: changedDocument,
  effect: 'adds',
  scopes: ['documents:write'],
  run: async ({ idempotencyKey: key, ...body }, api) =>
    changed(await api.post<Document>('/documents', { body, headers: keyed(key) }), NOW_EDIT),
});

export const createFromTemplate = defineTool({
  name: 'create_document_from_template',
  title: 'Create a document from a template',
  description:
    'Creates a document from a template; read_template lists its variables. Values given here override those of the template.',
  input: z.strictObject({
    templateId,
    variables: z
      .record(z.string(), z.string())
      .optional()
      .describe('Value of each variable, by name. Required variables must have one.'),
    title: title.optional(),
    type: documentType.optional(),
    metadata: metadata.optional(),
    collectionId: newPlace,
    idempotencyKey,
  }),
  output: changedDocument,
  effect: 'adds',
  scopes: ['documents:write'],
  run: async ({ idempotencyKey: key, variables, ...rest }, api) => {
    const body = { ...rest, ...(variables && { templateVariables: variables }) };
    return changed(
      await api.post<Document>('/documents', { body, headers: keyed(key) }),
      `${NOW_EDIT} read_document shows the resulting text.`,
    );
  },
});

export const copyDocument = defineTool({
  name: 'copy_document',
  title: 'Copy a document',
  description:
    'Creates a draft with the content of a document. Values given here override the copied ones.',
  input: z.strictObject({
    id: documentId,
    title: title.optional(),
    type: documentType.optional(),
    metadata: metadata.optional(),
    collectionId: place.describe(
      'Id of the collection to put the copy into (col_…), from list_collections. null: at the root. Without it, the collection of the original.',
    ),
    idempotencyKey,
  }),
  output: changedDocument,
  effect: 'adds',
  scopes: ['documents:read', 'documents:write'],
  run: async ({ id, idempotencyKey: key, ...body }, api) =>
    changed(
      await api.post<Document>(`/documents/${id}/copy`, { body, headers: keyed(key) }),
      NOW_EDIT,
    ),
});

export const deleteDocument = defineTool({
  name: 'delete_document',
  title: 'Delete a document',
  description:
    'Moves a document to the trash, from which restore_document can restore it for 30 days. Ask the user first.',
  input: z.strictObject({ id: documentId, version: versionSeen.optional() }),
  output: z.object({ id: z.string(), restorableUntil: z.string().nullable(), next }),
  effect: 'changes',
  scopes: ['documents:write'],
  run: async ({ id, version }, api) => {
    const { data } = await api.delete<{ restorableUntil: string | null }>(`/documents/${id}`, {
      headers: ifMatch(version),
    });
    const { restorableUntil } = data;
    return { id, restorableUntil, next: 'restore_document can restore it until then.' };
  },
});

export const restoreDocument = defineTool({
  name: 'restore_document',
  title: 'Restore a deleted document',
  description:
    'Restores a document from the trash; list_documents with deleted: true lists the trash.',
  input: z.strictObject({
    id: documentId,
    collectionId: place.describe(
      'Id of the collection to put it into (col_…), from list_collections. null: at the root. Without it, where it was. Required if that collection was deleted.',
    ),
  }),
  output: changedDocument,
  effect: 'adds',
  scopes: ['documents:write'],
  run: async ({ id, ...body }, api) =>
    changed(
      await api.post<Document>(`/documents/${id}/restore`, { body }),
      'The document is restored.',
    ),
});

/** The fields that an edit can set in addition to the text. */
const settable = {
  title: title.optional(),
  type: documentType.optional(),
  status: documentStatus
    .optional()
    .describe(
      'draft ↔ in_review; either → published; any → archived; published or archived → draft.',
    ),
  metadata: metadata
    .optional()
    .describe('Keys to set. null removes a key; other keys stay unchanged.'),
  collectionId: place.describe(
    'Moves the document into this collection (col_…, from list_collections). null: to the root.',
  ),
};

const MAX_EDITS = 100;
/** Maximum size of a document's text, as in the API. */
const MAX_CONTENT_BYTES = 1024 ** 2;

const all = z
  .boolean()
  .optional()
  .describe('Applies to every occurrence; otherwise the text must occur exactly once.');
const find = z.string().min(1).describe('Exact text of the document, including line breaks.');
const text = z.string();
const heading = z.string().min(1).max(400).describe('A heading of the document.');

const edit = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('replace'), find, with: z.string(), all }),
  z.strictObject({ op: z.literal('delete'), find, all }),
  z.strictObject({ op: z.literal('append'), text }),
  z.strictObject({
    op: z.literal('insert'),
    at: z
      .union([z.enum(['start', 'end']), z.int().min(0)])
      .describe('A character position, or an end of the text.'),
    text,
  }),
  z.strictObject({ op: z.literal('append_to_section'), heading, text }),
  z.strictObject({ op: z.literal('replace_section'), heading, text }),
]);
type Edit = z.output<typeof edit>;

/** True for edits that the API applies itself, so the text need not be read. */
function isPlain(one: Edit): one is Edit & TextEdit {
  return one.op !== 'append_to_section' && one.op !== 'replace_section';
}

export const editDocument = defineTool({
  name: 'edit_document',
  title: 'Edit a document',
  description:
    'Changes parts of a document, all or nothing, as one new version. `edits` change the text in order: replace or delete exact text, append, insert, append_to_section (at the end of the section under a heading), replace_section (everything below a heading; the heading stays). You can also set title, type, status and metadata, or move the document with collectionId. Read the document first and send its `version`. If it has changed since, nothing is done and you must read it again.',
  input: z.strictObject({
    id: documentId,
    version: versionSeen,
    edits: z.array(edit).min(1).max(MAX_EDITS).optional(),
    ...settable,
  }),
  output: changedDocument,
  effect: 'changes',
  scopes: ['documents:write'],
  run: async ({ id, version, edits, ...fields }, api) => {
    if (edits === undefined && Object.keys(fields).length === 0) {
      throw new ToolError(
        'There is nothing to change. Send edits, title, type, status, metadata or collectionId, and call edit_document again.',
      );
    }
    const response = await change(api, id, version, { edits, fields });
    const newVersion = response.data.version;
    const next =
      newVersion === version
        ? 'Nothing changed, so there is no new version.'
        : `Send version: ${String(newVersion)} with your next change; diff_versions shows this change.`;
    return changed(response, next);
  },
});

interface Change {
  edits: Edit[] | undefined;
  fields: Record<string, unknown>;
}

async function change(
  api: Api,
  id: string,
  version: number,
  { edits, fields }: Change,
): Promise<Success<Document>> {
  const headers = ifMatch(version);
  const path = `/documents/${id}`;
  if (edits === undefined) return api.patch(path, { body: fields, headers });
  if (Object.keys(fields).length === 0 && edits.every(isPlain)) {
    return api.post(`${path}/edits`, { body: { edits }, headers });
  }
  const { data } = await api.get<Document>(path);
  // For another version, skip the edits. Their errors would hide that the version is outdated, which the write reports.
  const content = data.version === version ? await edited(data.content, edits) : data.content;
  return api.patch(path, { body: { ...fields, content }, headers });
}

async function edited(before: string, edits: readonly Edit[]): Promise<string> {
  let content = before;
  for (const [index, one] of edits.entries()) {
    content = isPlain(one) ? await plainlyEdited(content, one, index) : sectionEdited(content, one);
  }
  return content;
}

async function plainlyEdited(content: string, one: TextEdit, index: number): Promise<string> {
  const outcome = await applyEdits(content, [one], MAX_CONTENT_BYTES);
  if (outcome.done) return outcome.text;
  const { field, issue } = outcome.problem;
  const named = field.replace('edits[0]', `edits[${String(index)}]`);
  throw new ToolError(`${named} ${issue}. Correct this, then call edit_document again.`);
}

function sectionEdited(content: string, one: Exclude<Edit, TextEdit>): string {
  const sections = sectionsOf(content);
  const section = findSection(sections, one.heading);
  if (!section) throw new ToolError(noSection(sections, one.heading));
  const from = one.op === 'replace_section' ? section.bodyStart : section.end;
  return joined(content.slice(0, from), one.text, content.slice(section.end));
}

/** Joins the three parts with empty lines. */
function joined(before: string, text: string, after: string): string {
  const middle = text.replace(/^\n{1,2}/, '').trimEnd();
  const parts = [before.trimEnd(), middle, after].filter((part) => part !== '');
  return after === '' ? `${parts.join('\n\n')}\n` : parts.join('\n\n');
}
