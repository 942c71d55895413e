import { invalidFields } from '../errors/app-error.js';

export type SqlType = 'timestamptz' | 'text' | 'integer';

/** The last row of a page: where the next one begins. Opaque to clients: base64url of a JSON array. */
export interface Cursor {
  sort: string;
  order: 'asc' | 'desc';
  key: string | number;
  /** A UUID. */
  id: string;
}

/** The text that clients send back to go on after this row. */
export function writeCursor({ sort, order, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, order, key, id])).toString('base64url');
}

/** Reads a cursor for a list in this sort and order. Throws `bad_request` when it is not one. */
export function readCursor(
  text: string,
  { sort, order }: { sort: string; order: 'asc' | 'desc' },
  type: SqlType,
): Pick<Cursor, 'key' | 'id'> {
  const [cursorSort, cursorOrder, key, id] = decode(text);
  if (!isKey(type, key) || typeof id !== 'string' || !UUID.test(id)) {
    throw invalidFields([
      {
        field: 'cursor',
        issue: 'is not a cursor of this list; take meta.pagination.nextCursor as it is',
      },
    ]);
  }
  if (cursorSort !== sort || cursorOrder !== order) {
    throw invalidFields([
      {
        field: 'cursor',
        issue: 'belongs to another sort or order; keep both while following cursors',
      },
    ]);
  }
  return { key, id };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function isKey(type: SqlType, key: unknown): key is string | number {
  if (type === 'integer') {
    return typeof key === 'number' && Number.isInteger(key) && Math.abs(key) < 2 ** 31;
  }
  if (typeof key !== 'string') return false;
  if (type === 'timestamptz') return TIMESTAMP.test(key) && isDate(key);
  return key.isWellFormed() && !key.includes('\0');
}

/** Whether the text is a moment that PostgreSQL knows too: no 31st of February, no year 0. */
function isDate(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text && !text.startsWith('0000');
}

function decode(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? (parts as unknown[]) : [];
  } catch {
    return [];
  }
}
