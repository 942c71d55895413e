import { createHash } from 'node:crypto';
import { AppError, invalidFields } from '../../../platform/basics/errors/app-error.js';

/** A place in the order of an account's events: after the event with this UUID. Positions are bigints as strings. */
export interface StreamPosition {
  position: string;
  id: string;
}

/** The place up to which a client has read. */
export interface EventPlace extends StreamPosition {
  /** The client knows that events up to this position may be missing, because they had expired when it started. */
  knownHorizon: string;
}

/** The filters that a cursor is bound to. A place reached with other filters has skipped other events. */
export interface CursorFilters {
  /** Names and patterns as sent, not the types they match, because releases add types. */
  types?: readonly string[] | undefined;
  documentId?: string | undefined;
  requestId?: string | undefined;
}

const BEFORE_EVERY_ID = '00000000-0000-0000-0000-000000000000';

/** Returns the place before all stored events. `horizon` is the position up to which events have expired. */
export function startAt(horizon: string): EventPlace {
  return { position: '0', id: BEFORE_EVERY_ID, knownHorizon: horizon };
}

export function isStart({ position }: StreamPosition): boolean {
  return position === '0';
}

/** True if events after the place expired before the client read them. */
export function hasExpired({ position, knownHorizon }: EventPlace, horizon: string): boolean {
  return BigInt(horizon) > BigInt(position) && BigInt(horizon) > BigInt(knownHorizon);
}

/** Returns the cursor of a place: base64url of a JSON array, opaque to clients. */
export function encodeCursor({ position, id, knownHorizon }: EventPlace, filters: CursorFilters) {
  const parts = ['after', position, id, fingerprintOf(filters), knownHorizon];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** True if a text is a cursor, with any filters. */
export function isCursor(text: string): boolean {
  return decode(text)[0] === 'after';
}

/** Reads a cursor. Throws `bad_request`, naming `field`, for other texts and for a cursor with other filters. */
export function decodeCursor(text: string, filters: CursorFilters, field: string): EventPlace {
  const [kind, position, id, fingerprint, knownHorizon] = decode(text);
  if (kind !== 'after' || !isPosition(position) || !isUuid(id) || !isPosition(knownHorizon)) {
    throw refused(field, 'is not a cursor of events; send meta.pagination.nextCursor unchanged');
  }
  if (fingerprint !== fingerprintOf(filters)) {
    throw refused(field, 'belongs to other filters; keep the filters while following events');
  }
  return { position, id, knownHorizon };
}

/** Returns the error for a place where resuming would leave a gap. `oldestCursor` is before all stored events. */
export function cursorRefusal(field: string, issue: string, oldestCursor: string): AppError {
  return new AppError('bad_request', `${field}: ${issue}`, {
    field,
    issue,
    problems: [{ field, issue }],
    oldestCursor,
  });
}

function refused(field: string, issue: string): AppError {
  return invalidFields([{ field, issue }]);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

const isPosition = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,18}$/.test(value);

function fingerprintOf({ types = [], documentId, requestId }: CursorFilters): string {
  const names = types.includes('*') ? [] : [...new Set(types)].sort();
  if (names.length === 0 && documentId === undefined && requestId === undefined) return '';
  const text = JSON.stringify([names, documentId ?? null, requestId ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function decode(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? (parts as unknown[]) : [];
  } catch {
    return [];
  }
}
