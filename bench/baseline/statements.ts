/** The plain SQL of the baseline. Each statement has a name, so `pg` prepares it once per connection. */
interface Statement {
  name: string;
  text: string;
}

const OWN_COLUMNS = `d.id, d.title, d.type, d.content, d.status, d.metadata, d.ai_settings, d.word_count, d.created_at,
  d.updated_at`;
const COLUMNS = `${OWN_COLUMNS}, u.id AS user_id, u.name AS user_name, u.email AS user_email`;

export const FIND_KEY: Statement = {
  name: 'find-key',
  text: `SELECT k.account_id, u.id AS user_id, u.name AS user_name, u.email AS user_email
    FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
};

export const INSERT_DOCUMENT: Statement = {
  name: 'insert-document',
  text: `INSERT INTO documents AS d
      (account_id, title, type, content, metadata, ai_settings, word_count, created_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${OWN_COLUMNS}`,
};

export const CHANGE_DOCUMENT: Statement = {
  name: 'change-document',
  text: `UPDATE documents d SET title = coalesce($3, title), content = coalesce($4, content),
      word_count = coalesce($5, word_count), updated_at = now()
    WHERE account_id = $1 AND id = $2 RETURNING ${OWN_COLUMNS}`,
};

export const FIND_DOCUMENT: Statement = {
  name: 'find-document',
  text: `SELECT ${COLUMNS} FROM documents d JOIN users u ON u.id = d.created_by
    WHERE d.account_id = $1 AND d.id = $2`,
};

/** Statements that count the documents of a list, and return a page. */
interface List {
  count: Statement;
  page: Statement;
}

export const ALL_DOCUMENTS = listOf('all', 'd.account_id = $1', 1);
export const DOCUMENTS_OF_TYPE = listOf('type', 'd.account_id = $1 AND d.type = $2', 2);

/** Creates highlights only for the selected page. */
export const FOUND_DOCUMENTS: List = {
  count: {
    name: 'count-found',
    text: `SELECT count(*)::int AS total FROM documents
      WHERE account_id = $1 AND tsv @@ websearch_to_tsquery('english', $2)`,
  },
  page: {
    name: 'list-found',
    text: `SELECT ${COLUMNS}, ts_headline('english', d.content, d.query) AS highlight
      FROM (SELECT documents.*, query, ts_rank(tsv, query) AS rank
              FROM documents, websearch_to_tsquery('english', $2) AS query
             WHERE account_id = $1 AND tsv @@ query
             ORDER BY rank DESC, created_at DESC, id DESC LIMIT $3 OFFSET $4) d
      JOIN users u ON u.id = d.created_by
      ORDER BY d.rank DESC, d.created_at DESC, d.id DESC`,
  },
};

function listOf(name: string, condition: string, values: number): List {
  return {
    count: {
      name: `count-${name}`,
      text: `SELECT count(*)::int AS total FROM documents d WHERE ${condition}`,
    },
    page: {
      name: `list-${name}`,
      text: `SELECT ${COLUMNS} FROM documents d JOIN users u ON u.id = d.created_by
        WHERE ${condition} ORDER BY d.created_at DESC, d.id DESC
        LIMIT $${String(values + 1)} OFFSET $${String(values + 2)}`,
    },
  };
}
