import { z } from 'zod';
import { ifMatch } from '../api.js';
import {
  documentId,
  documentStatus,
  documentType,
  idempotencyKey,
  metadata,
  next,
  templateId,
  versionSeen,
} from '../schemas.js';
import { defineTool } from '../tool.js';
import { changed, changedDocument, type Document } from './document-facts.js';

const content = z.string().describe('Text of the document, in Markdown.');
const title = z.string().min(1).max(500);

function keyed(key: string | undefined): Record<string, string> | undefined {
  return key === undefined ? undefined : { 'idempotency-key': key };
}

const NOW_EDIT = 'Change it with edit_document, sending this version.';

export const createDocument = defineTool({
  name: 'create_document',
  title: 'Create a document',
  description:
    'Creates a document. Show the user what you are going to write first, unless they asked for it. For one that begins with a template use create_document_from_template.',
  input: z.strictObject({
    title,
    content: content.optional(),
    type: documentType.optional(),
    metadata: metadata.optional(),
    idempotencyKey,
  }),
  output: changedDocument,
  effect: 'adds',
  run: async ({ idempotencyKey: key, ...body }, api) =>
    changed(await api.post<Document>('/documents', { body, headers: keyed(key) }), NOW_EDIT),
});

export const createFromTemplate = defineTool({
  name: 'create_document_from_template',
  title: 'Create a document from a template',
  description:
    'Creates a document from a template; read_template tells which variables it has. What is given here takes the place of what the template says.',
  input: z.strictObject({
    templateId,
    variables: z
      .record(z.string(), z.string())
      .optional()
      .describe('Value of each variable, by its name; required ones must be given.'),
    title: title.optional(),
    type: documentType.optional(),
    metadata: metadata.optional(),
    idempotencyKey,
  }),
  output: changedDocument,
  effect: 'adds',
  run: async ({ idempotencyKey: key, variables, ...rest }, api) => {
    const body = { ...rest, ...(variables && { templateVariables: variables }) };
    return changed(
      await api.post<Document>('/documents', { body, headers: keyed(key) }),
      `${NOW_EDIT} read_document shows what the template made.`,
    );
  },
});

export const copyDocument = defineTool({
  name: 'copy_document',
  title: 'Copy a document',
  description:
    'Makes a new draft with the content of a document. What is given here takes the place of what would be copied.',
  input: z.strictObject({
    id: documentId,
    title: title.optional(),
    type: documentType.optional(),
    metadata: metadata.optional(),
    idempotencyKey,
  }),
  output: changedDocument,
  effect: 'adds',
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
    'Moves a document into the trash, from where restore_document brings it back for 30 days. Ask the user before.',
  input: z.strictObject({ id: documentId, version: versionSeen.optional() }),
  output: z.object({ id: z.string(), restorableUntil: z.string().nullable(), next }),
  effect: 'changes',
  run: async ({ id, version }, api) => {
    const { data } = await api.delete<{ restorableUntil: string | null }>(`/documents/${id}`, {
      headers: ifMatch(version),
    });
    const { restorableUntil } = data;
    return { id, restorableUntil, next: 'restore_document brings it back until then.' };
  },
});

export const restoreDocument = defineTool({
  name: 'restore_document',
  title: 'Restore a deleted document',
  description:
    'Takes a document out of the trash; list_documents with deleted: true shows what is there.',
  input: z.strictObject({ id: documentId }),
  output: changedDocument,
  effect: 'adds',
  run: async ({ id }, api) =>
    changed(await api.post<Document>(`/documents/${id}/restore`), 'It is there again.'),
});

/** The fields that an edit may set beside the text. */
export const settable = {
  title: title.optional(),
  type: documentType.optional(),
  status: documentStatus
    .optional()
    .describe(
      'draft ↔ in_review; either → published; any → archived; published or archived → draft.',
    ),
  metadata: metadata.optional().describe('Keys to set; null removes a key, the others stay.'),
};
