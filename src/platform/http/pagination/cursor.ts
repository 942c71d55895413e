import { invalidFields } from '../../basics/errors/app-error.js';

/** Types of sort keys. A `rank` is text: eight digits and a time, so it sorts as text. */
export type SqlType = 'timestamptz' | 'text' | 'integer' | 'rank';

/** The last row of a page, after which the next page begins. Opaque to clients: base64url of a JSON array. */
interface Cursor {
  sort: string;
  order: 'asc' | 'desc';
  key: string | number;
  /** A UUID. */
  id: string;
  /** Fingerprint of the filters; empty for an unfiltered list. */
  filters?: string;
}

/** The list that a cursor belongs to. */
type CursorList = Pick<Cursor, 'sort' | 'order' | 'filters'>;

/** Returns the text that clients send to get the rows after this one. */
export function writeCursor({ sort, order, key, id, filters = '' }: Cursor): string {
  const parts = filters === '' ? [sort, order, key, id] : [sort, order, key, id, filters];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Parses a cursor of a list with this sort, order and filters. Throws `bad_request` for any other text. */
export function readCursor(
  text: string,
  list: CursorList,
  type: SqlType,
): Pick<Cursor, 'key' | 'id'> {
  const [sort, order, key, id, filters = ''] = decode(text);
  if (!isKey(type, key) || typeof id !== 'string' || !UUID.test(id)) {
    throw refused('is not a cursor of this list; send meta.pagination.nextCursor unchanged');
  }
  if (sort !== list.sort || order !== list.order) {
    throw refused('belongs to another sort or order; do not change them while following cursors');
  }
  if (filters !== (list.filters ?? '')) {
    throw refused('belongs to other filters; do not change them while following cursors');
  }
  return { key, id };
}

function refused(issue: string): Error {
  return invalidFields([{ field: 'cursor', issue }]);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const RANK = /^\d{8} /;

function isKey(type: SqlType, key: unknown): key is string | number {
  if (type === 'integer') {
    return typeof key === 'number' && Number.isInteger(key) && Math.abs(key) < 2 ** 31;
  }
  if (typeof key !== 'string') return false;
  if (type === 'timestamptz') return isTimestamp(key);
  if (type === 'rank') return RANK.test(key) && isTimestamp(key.slice(9));
  return key.isWellFormed() && !key.includes('\0');
}

/** True for a time that PostgreSQL accepts: not February 31, not year 0. */
function isTimestamp(text: string): boolean {
  if (!TIMESTAMP.test(text) || text.startsWith('0000')) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function decode(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? (parts as unknown[]) : [];
  } catch {
    return [];
  }
}
