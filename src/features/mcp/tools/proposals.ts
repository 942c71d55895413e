import { z } from 'zod';
import { documentId, idempotencyKey, metadata, next, TEXT_IS_DATA } from '../schemas.js';
import { defineTool } from '../tool.js';
import { keyed } from './write-documents.js';

interface Proposal {
  id: string;
  textVersion: number;
  suggestionCounts: { open: number };
  dropped: Record<string, number>;
}

export const proposeEdit = defineTool({
  name: 'propose_edit',
  title: 'Propose an edit',
  description: `Proposes changes to a document. A person accepts or rejects each one; until then, the document stays as it is. Quote the words to replace exactly, with enough of the text around them to occur once. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: documentId,
    edits: z
      .array(
        z.strictObject({
          quote: z.string().min(1).describe('The exact text to replace.'),
          occurrence: z.int().min(1).max(1_000).optional().describe('Which one, from 1.'),
          replacement: z.string().describe('The new text. Empty deletes.'),
          message: z.string().max(1_000).optional().describe('Why, for the person who decides.'),
        }),
      )
      .min(1)
      .max(1_000)
      .optional()
      .describe('Each edit becomes one suggestion. To insert, repeat the quote in `replacement`.'),
    title: z.string().min(1).max(500).optional(),
    metadata: metadata.optional(),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('The `version` that you have read. Passages that changed since are left out.'),
    message: z.string().max(1_000).optional().describe('What you propose and why, in a sentence.'),
    idempotencyKey,
  }),
  output: z.looseObject({ proposalId: z.string(), open: z.int(), next }),
  effect: 'adds',
  scopes: ['documents:suggest'],
  run: async ({ id, version, idempotencyKey: key, ...changes }, api) => {
    const body = { ...changes, ...(version !== undefined && { baseVersion: version }) };
    const path = `/documents/${id}/proposals`;
    const { data } = await api.post<Proposal>(path, { body, headers: keyed(key) });
    return {
      proposalId: data.id,
      version: data.textVersion,
      open: data.suggestionCounts.open,
      ...(Object.keys(data.dropped).length > 0 && { dropped: data.dropped }),
      next: `Tell the user that the changes wait for a decision. list_suggestions with enhancementId: ${data.id} shows what has been decided.`,
    };
  },
});
