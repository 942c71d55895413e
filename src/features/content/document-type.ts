/** The document types of the specification; `document` is the default. */
export const DOCUMENT_TYPES = ['document', 'report', 'article', 'research', 'technical'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
