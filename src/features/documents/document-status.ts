/** Every state of a document; a new one is a draft. */
export const DOCUMENT_STATUSES = ['draft', 'in_review', 'published', 'archived'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Where a document may go from each status by an explicit change of its status. */
const TRANSITIONS: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  draft: ['in_review', 'published', 'archived'],
  in_review: ['draft', 'published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
};

/** The statuses that a document may take next; its present one is not among them. */
export function allowedFrom(status: DocumentStatus): readonly DocumentStatus[] {
  return TRANSITIONS[status];
}

/** Whether `to` may be asked for; staying is always allowed and changes nothing. */
export function isAllowed(from: DocumentStatus, to: DocumentStatus): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}
