import type { DocumentStatus } from './document-status.js';
import type { DocumentType } from './document-type.js';
import type { Document } from './document.js';

/** A row of `documents AS item JOIN users AS creator`, without its content. */
export interface DocumentRow {
  id: string;
  title: string;
  type: DocumentType;
  excerpt: string;
  status: DocumentStatus;
  metadata: string;
  ai_settings: string;
  template_id: string | null;
  word_count: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  creator_id: string;
  creator_name: string;
  creator_email: string;
}

export const DOCUMENT_COLUMNS = `item.id, item.title, item.type, item.excerpt, item.status, item.metadata,
  item.ai_settings, item.template_id, item.word_count, item.version, item.created_at, item.updated_at,
  creator.id AS creator_id, creator.name AS creator_name, creator.email AS creator_email`;

export const DOCUMENT_JOINS =
  'CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS creator';

/** The document of a row; its content is read only where it is wanted. */
export function fromRow(row: DocumentRow): Omit<Document, 'accountId' | 'content'> {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    excerpt: row.excerpt,
    status: row.status,
    metadata: row.metadata,
    aiSettings: row.ai_settings,
    templateId: row.template_id,
    wordCount: row.word_count,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
  };
}
