/** The plain SQL of the baseline. Each statement has a name, so `pg` prepares it once per connection. */
const DOCUMENT_COLUMNS = `d.id, d.title, d.type, d.content, d.status, d.metadata, d.ai_settings,
  d.word_count, d.created_at, d.updated_at, u.id AS user_id, u.name AS user_name, u.email AS user_email`;

export const FIND_KEY = {
  name: 'find-key',
  text: `SELECT k.account_id, u.id AS user_id, u.name AS user_name, u.email AS user_email
    FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
};

export const INSERT_DOCUMENT = {
  name: 'insert-document',
  text: `INSERT INTO documents
      (account_id, title, type, content, metadata, ai_settings, word_count, created_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    RETURNING id, title, type, content, status, metadata, ai_settings, word_count, created_at, updated_at`,
};

export const COUNT_DOCUMENTS = {
  name: 'count-documents',
  text: 'SELECT count(*)::int AS total FROM documents WHERE account_id = $1',
};

export const LIST_DOCUMENTS = {
  name: 'list-documents',
  text: `SELECT ${DOCUMENT_COLUMNS}
    FROM documents d JOIN users u ON u.id = d.created_by
    WHERE d.account_id = $1 ORDER BY d.created_at DESC, d.id DESC LIMIT $2 OFFSET $3`,
};

export const FIND_DOCUMENT = {
  name: 'find-document',
  text: `SELECT ${DOCUMENT_COLUMNS}
    FROM documents d JOIN users u ON u.id = d.created_by
    WHERE d.account_id = $1 AND d.id = $2`,
};

/** A row of `documents` as `pg` parses it, with the user who made it. */
export interface DocumentRow {
  id: string;
  title: string;
  type: string;
  content: string;
  status: string;
  metadata: unknown;
  ai_settings: unknown;
  word_count: number;
  created_at: Date;
  updated_at: Date;
}

export interface UserColumns {
  user_id: string;
  user_name: string;
  user_email: string;
}

/** What the key look-up finds: whose request it is. */
export interface Caller extends UserColumns {
  account_id: string;
}
