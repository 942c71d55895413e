/** Document types. The default is `document`. */
export const DOCUMENT_TYPES = ['document', 'report', 'article', 'research', 'technical'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
