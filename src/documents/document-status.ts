/** Every state of a document; a new one is a draft. */
export const DOCUMENT_STATUSES = ['draft', 'in_review', 'published', 'archived'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];
