import { z } from 'zod';
import { ifMatch } from '../api.js';
import {
  changed,
  changedDocument,
  documentId,
  versionNumber,
  versionSeen,
  type Document,
} from '../schemas.js';
import { defineTool } from '../tool.js';

export const publishDocument = defineTool({
  name: 'publish_document',
  title: 'Publish a document',
  description:
    'Makes a version of a document what readers get, such as visitors of a website, until another one is published. Later edits do not change it. Ask the user first.',
  input: z.strictObject({
    id: documentId,
    atVersion: versionNumber
      .optional()
      .describe(
        'The version to publish. An older one is a rollback, and the draft stays as it is. Default: the current version.',
      ),
    version: versionSeen.optional(),
  }),
  output: changedDocument,
  effect: 'changes to the same',
  scopes: ['documents:write'],
  run: async ({ id, atVersion, version }, api) => {
    const response = await api.post<Document>(`/documents/${id}/publish`, {
      body: atVersion === undefined ? {} : { version: atVersion },
      headers: ifMatch(version),
    });
    const published = String(response.data.published?.version);
    return changed(
      response,
      `Readers get version ${published}. read_document with published: true shows it, unpublish_document takes it away from readers.`,
    );
  },
});

export const unpublishDocument = defineTool({
  name: 'unpublish_document',
  title: 'Unpublish a document',
  description:
    'Makes a published document a draft, so that readers no longer get it. Ask the user first.',
  input: z.strictObject({ id: documentId, version: versionSeen.optional() }),
  output: changedDocument,
  effect: 'changes',
  scopes: ['documents:write'],
  run: async ({ id, version }, api) =>
    changed(
      await api.post<Document>(`/documents/${id}/unpublish`, { headers: ifMatch(version) }),
      'Readers no longer get it. publish_document publishes it again.',
    ),
});
