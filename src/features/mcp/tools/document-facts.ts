import { z } from 'zod';
import type { Success } from '../api.js';

/** A document as the API tells it: of a list without content, which has an excerpt and what was found. */
export interface Document {
  id: string;
  title: string;
  type: string;
  status: string;
  version: number;
  wordCount: number;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  content: string;
  excerpt?: string;
  highlight?: string | null;
  deletedAt?: string;
}

/** What tools tell of a document; `full` adds all other fields of the API. */
export const documentFacts = z.looseObject({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  status: z.string(),
  version: z.int(),
  wordCount: z.int(),
  updatedAt: z.string(),
});

export function factsOf({
  id,
  title,
  type,
  status,
  version,
  wordCount,
  updatedAt,
}: Document): z.input<typeof documentFacts> {
  return { id, title, type, status, version, wordCount, updatedAt };
}

/** What a change answers. */
export const changedDocument = z.object({
  document: documentFacts,
  warnings: z.array(z.string()).optional(),
  next: z.string(),
});

export function changed(
  { data, meta }: Success<Document>,
  next: string,
): z.input<typeof changedDocument> {
  const warnings = meta.warnings?.map(({ field, issue }) => `${field} ${issue}`);
  return { document: factsOf(data), ...(warnings && { warnings }), next };
}

/** What every list answers beside its items. */
export function pageOf(
  { pagination }: Success<unknown>['meta'],
  shown: number,
  forOne: string,
): { total: number; nextCursor?: string; next: string } {
  const { total = shown, nextCursor, totalIsLowerBound } = pagination ?? {};
  const count = `${String(shown)} of ${totalIsLowerBound ? 'more than ' : ''}${String(total)} shown.`;
  if (nextCursor === undefined || nextCursor === null) return { total, next: `${count} ${forOne}` };
  return {
    total,
    nextCursor,
    next: `${count} Call again with cursor: nextCursor for the next ones. ${forOne}`,
  };
}
