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

export const COUNT_OF_TYPE = {
  name: 'count-of-type',
  text: 'SELECT count(*)::int AS total FROM documents WHERE account_id = $1 AND type = $2',
};

export const LIST_OF_TYPE = {
  name: 'list-of-type',
  text: `SELECT ${DOCUMENT_COLUMNS}
    FROM documents d JOIN users u ON u.id = d.created_by
    WHERE d.account_id = $1 AND d.type = $2 ORDER BY d.created_at DESC, d.id DESC LIMIT $3 OFFSET $4`,
};

export const COUNT_FOUND = {
  name: 'count-found',
  text: `SELECT count(*)::int AS total FROM documents
    WHERE account_id = $1 AND tsv @@ websearch_to_tsquery('english', $2)`,
};

/** Creates highlights only for the selected page. */
export const LIST_FOUND = {
  name: 'list-found',
  text: `SELECT ${DOCUMENT_COLUMNS}, ts_headline('english', d.content, d.query) AS highlight
    FROM (SELECT documents.*, query, ts_rank(tsv, query) AS rank
            FROM documents, websearch_to_tsquery('english', $2) AS query
           WHERE account_id = $1 AND tsv @@ query
           ORDER BY rank DESC, created_at DESC, id DESC LIMIT $3 OFFSET $4) d
    JOIN users u ON u.id = d.created_by
    ORDER BY d.rank DESC, d.created_at DESC, d.id DESC`,
};

export const CHANGE_DOCUMENT = {
  name: 'change-document',
  text: `UPDATE documents SET title = coalesce($3, title), content = coalesce($4, content),
      word_count = coalesce($5, word_count), updated_at = now()
    WHERE account_id = $1 AND id = $2
    RETURNING id, title, type, content, status, metadata, ai_settings, word_count, created_at, updated_at`,
};

export const FIND_DOCUMENT = {
  name: 'find-document',
  text: `SELECT ${DOCUMENT_COLUMNS}
    FROM documents d JOIN users u ON u.id = d.created_by
    WHERE d.account_id = $1 AND d.id = $2`,
};

/** A row of `documents` as `pg` parses it, with the user who created it. */
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
  /** Only in search results. */
  highlight?: string;
}

export interface UserColumns {
  user_id: string;
  user_name: string;
  user_email: string;
}

/** The result of the key look-up. */
export interface Caller extends UserColumns {
  account_id: string;
}
