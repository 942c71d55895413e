import { createHash } from 'node:crypto';
import type pg from 'pg';
import {
  ALL_DOCUMENTS,
  CHANGE_DOCUMENT,
  DOCUMENTS_OF_TYPE,
  FIND_DOCUMENT,
  FIND_KEY,
  FOUND_DOCUMENTS,
  INSERT_DOCUMENT,
} from './statements.js';

/** A row as `pg` parses it. */
type Row = Record<string, unknown>;

const DOCUMENT_ID = /^doc_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The result of a handler, which the server puts into the envelope. */
export interface Result {
  status: number;
  data?: unknown;
  pagination?: object;
  error?: { code: string; message: string };
}

export const NOT_FOUND: Result = {
  status: 404,
  error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' },
};

export const UNAUTHORIZED: Result = {
  status: 401,
  error: { code: 'UNAUTHORIZED', message: 'The API key is missing or unknown.' },
};

/** Looks up the bearer key in the database on every request. */
export async function findCaller(pool: pg.Pool, authorization: string): Promise<Row | undefined> {
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest();
  const { rows } = await pool.query<Row>({ ...FIND_KEY, values: [hash] });
  return rows[0];
}

export async function createDocument(
  pool: pg.Pool,
  caller: Row,
  body: Record<string, unknown>,
): Promise<Result> {
  const content = typeof body.content === 'string' ? body.content : '';
  const { rows } = await pool.query<Row>({
    ...INSERT_DOCUMENT,
    values: [
      caller.account_id,
      body.title,
      body.type ?? 'document',
      content,
      JSON.stringify(body.metadata ?? {}),
      JSON.stringify(body.aiSettings ?? {}),
      countWords(content),
      caller.user_id,
    ],
  });
  return { status: 201, data: rows.map((row) => present(row, caller))[0] };
}

export async function listDocuments(
  pool: pg.Pool,
  caller: Row,
  query: URLSearchParams,
): Promise<Result> {
  const page = Number(query.get('page') ?? 1);
  const limit = Number(query.get('limit') ?? 20);
  const { list, values } = choose(caller, query);
  const [count, rows] = await Promise.all([
    pool.query<{ total: number }>({ ...list.count, values }),
    pool.query<Row>({
      ...list.page,
      values: [...values, limit, (page - 1) * limit],
    }),
  ]);
  const total = count.rows[0]?.total ?? 0;
  const pages = Math.ceil(total / limit);
  return {
    status: 200,
    data: rows.rows.map((row) => present(row, row)),
    pagination: { page, limit, total, pages, hasMore: page < pages },
  };
}

/** Returns the statements for a search, a type or all documents. */
function choose({ account_id }: Row, query: URLSearchParams) {
  const [q, type] = [query.get('q'), query.get('type')];
  if (q !== null) return { list: FOUND_DOCUMENTS, values: [account_id, q] };
  if (type !== null) return { list: DOCUMENTS_OF_TYPE, values: [account_id, type] };
  return { list: ALL_DOCUMENTS, values: [account_id] };
}

/** Changes title and content, the only fields that the benchmark changes. */
export async function changeDocument(
  pool: pg.Pool,
  caller: Row,
  id: string,
  body: Record<string, unknown>,
): Promise<Result> {
  const uuid = DOCUMENT_ID.exec(id)?.[1];
  const content = typeof body.content === 'string' ? body.content : undefined;
  const { rows } = await pool.query<Row>({
    ...CHANGE_DOCUMENT,
    values: [caller.account_id, uuid, body.title, content, content && countWords(content)],
  });
  const [row] = rows;
  return row === undefined ? NOT_FOUND : { status: 200, data: present(row, caller) };
}

export async function readDocument(pool: pg.Pool, caller: Row, id: string): Promise<Result> {
  const uuid = DOCUMENT_ID.exec(id)?.[1];
  const { rows } = await pool.query<Row>({
    ...FIND_DOCUMENT,
    values: [caller.account_id, uuid],
  });
  const [row] = rows;
  return row === undefined ? NOT_FOUND : { status: 200, data: present(row, row) };
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function present(row: Row, user: Row): object {
  return {
    id: `doc_${String(row.id)}`,
    title: row.title,
    type: row.type,
    content: row.content,
    status: row.status,
    metadata: row.metadata,
    aiSettings: row.ai_settings,
    wordCount: row.word_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: { id: `user_${String(user.user_id)}`, name: user.user_name, email: user.user_email },
    ...(row.highlight !== undefined && { highlight: row.highlight }),
  };
}
