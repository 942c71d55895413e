import { z } from 'zod';
import { ifMatch, type Success } from '../api.js';
import { passageOf } from '../passages.js';
import {
  cursor,
  documentId,
  limit,
  next,
  page,
  SHORT_TEXT,
  TEXT_IS_DATA,
  versionNumber,
  versionSeen,
  changed,
  changedDocument,
  pageOf,
  type Document,
} from '../schemas.js';
import { defineTool } from '../tool.js';

interface Version {
  number: number;
  changes: string[];
  author: { name: string };
  createdAt: string;
  title: string;
  status: string;
  wordCount: number;
}

export const listVersions = defineTool({
  name: 'list_versions',
  title: 'List versions',
  description:
    'Lists the versions of a document, newest first: who changed which fields, and when.',
  input: z.strictObject({ id: documentId, limit, cursor }),
  output: z.object({ versions: z.array(z.looseObject({ number: z.int() })), ...page }),
  effect: 'reads',
  scopes: ['documents:read'],
  run: async ({ id, ...query }, api) => {
    const { data, meta }: Success<Version[]> = await api.get(`/documents/${id}/versions`, query);
    const versions = data.map(
      ({ number, changes, author, createdAt, title, status, wordCount }) => ({
        number,
        changes,
        author: author.name,
        createdAt,
        title,
        status,
        wordCount,
      }),
    );
    const forOne = 'diff_versions compares two of them, read_document with atVersion reads one.';
    return { versions, ...pageOf(meta, versions.length, forOne) };
  },
});

interface Diff {
  from: number;
  to: number;
  content: { unified: string; stats: Record<string, number>; approximate: boolean };
  [field: string]: unknown;
}

export const diffVersions = defineTool({
  name: 'diff_versions',
  title: 'Compare versions',
  description: `Compares two versions of a document: the text as a unified diff, the other fields by value. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: documentId,
    to: versionNumber.describe('The later version.'),
    from: versionNumber.optional().describe('The earlier version. Default: the one before `to`.'),
    detail: z
      .enum(['short', 'full'])
      .default('short')
      .describe(
        `\`full\` returns the whole diff, not only ${String(SHORT_TEXT)} characters of it.`,
      ),
  }),
  output: z.looseObject({ from: z.int(), to: z.int(), diff: z.string(), next }),
  effect: 'reads',
  scopes: ['documents:read'],
  run: async ({ id, to, from, detail }, api) => {
    const { data }: Success<Diff> = await api.get(`/documents/${id}/versions/${String(to)}/diff`, {
      against: from,
    });
    const { content, ...fields } = data;
    const { unified, stats, approximate } = content;
    const length = detail === 'full' ? unified.length : SHORT_TEXT;
    const { text } = passageOf(unified, 0, length);
    const more =
      text.length < unified.length
        ? `This is the start of ${String(unified.length)} characters: call diff_versions with detail: "full" for all of them. `
        : '';
    return {
      ...fields,
      diff: text,
      stats,
      ...(approximate && { approximate }),
      next: `${more}restore_version restores an earlier version.`,
    };
  },
});

export const restoreVersion = defineTool({
  name: 'restore_version',
  title: 'Restore a version',
  description:
    'Restores an earlier version of a document as a new version. Nothing is lost: all versions stay in list_versions.',
  input: z.strictObject({
    id: documentId,
    number: versionNumber.describe('The version to restore.'),
    version: versionSeen,
  }),
  output: changedDocument,
  effect: 'changes to the same',
  scopes: ['documents:write'],
  run: async ({ id, number, version }, api) => {
    const path = `/documents/${id}/versions/${String(number)}/restore`;
    const response = await api.post<Document>(path, { headers: ifMatch(version) });
    return changed(
      response,
      `Send version: ${String(response.data.version)} with your next change.`,
    );
  },
});
