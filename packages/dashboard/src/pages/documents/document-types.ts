import type { components } from '../../api/v1-schema.js';

export type Document = components['schemas']['Document'];
export type DocumentListItem = components['schemas']['DocumentListItem'];
export type DocumentType = Document['type'];
export type DocumentStatus = Document['status'];

export const TYPES: readonly (readonly [DocumentType, string])[] = [
  ['document', 'Document'],
  ['report', 'Report'],
  ['article', 'Article'],
  ['research', 'Research'],
  ['technical', 'Technical'],
];

export const STATUSES: readonly (readonly [DocumentStatus, string])[] = [
  ['draft', 'Draft'],
  ['in_review', 'In review'],
  ['published', 'Published'],
  ['archived', 'Archived'],
];

export function typeName(type: string): string {
  return TYPES.find(([value]) => value === type)?.[1] ?? type;
}

export function statusName(status: string): string {
  return STATUSES.find(([value]) => value === status)?.[1] ?? status;
}

/** Labels of the buttons for changes of status. */
export interface StatusMove {
  to: DocumentStatus;
  name: string;
}

const PUBLISH: StatusMove = { to: 'published', name: 'Publish' };
const ARCHIVE: StatusMove = { to: 'archived', name: 'Archive' };
const TO_DRAFT: StatusMove = { to: 'draft', name: 'Return to draft' };
const REVIEW: StatusMove = { to: 'in_review', name: 'Request review' };

/** Allowed changes of each status, as in the API. The usual one is last. */
export const MOVES: Readonly<Record<DocumentStatus, readonly StatusMove[]>> = {
  draft: [ARCHIVE, REVIEW, PUBLISH],
  in_review: [ARCHIVE, TO_DRAFT, PUBLISH],
  published: [ARCHIVE, TO_DRAFT],
  archived: [TO_DRAFT],
};

/** Returns the next status for the main button, if any. */
export const MAIN_MOVES: Readonly<Record<DocumentStatus, StatusMove | undefined>> = {
  draft: PUBLISH,
  in_review: PUBLISH,
  published: undefined,
  archived: TO_DRAFT,
};

/** Returns the tags of a document. `metadata.tags` can be any JSON value. */
export function tagsOf({ metadata }: Pick<Document, 'metadata'>): string[] {
  const { tags } = metadata as { tags?: unknown };
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** Returns the tags, including those typed but not entered. */
export function withTyped(tags: readonly string[], typed: string): string[] {
  const entered = typed.split(',').map((tag) => tag.trim());
  return [...new Set([...tags, ...entered.filter((tag) => tag !== '')])];
}

export function versionTag(version: number): string {
  return `"${String(version)}"`;
}
