import { randomInt } from 'node:crypto';
import { fromString, toUUID } from 'typeid-js';
import { v7 as uuidv7 } from 'uuid';
import { currentTime } from '../clock/current-time.js';
import { notFound } from '../errors/app-error.js';

/** A time that is set back by more is a wrong one that was corrected: ids do not stay ahead of it. */
const MOST_BACK_MS = 1_000;

/** One prefix a kind of resource; an id is `<prefix>_` and the base32 of a UUIDv7 (TypeID). */
export const ID_PREFIXES = {
  document: 'doc',
  user: 'user',
  account: 'acct',
  key: 'key',
  template: 'tmpl',
  webhook: 'wh',
  event: 'evt',
  delivery: 'dlv',
  request: 'req',
  audit: 'aud',
  job: 'job',
  analysis: 'anl',
  enhancement: 'enh',
  invitation: 'inv',
  receiver: 'rcv',
  session: 'ses',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

let lastMs = -Infinity;
let sequence = 0;

/**
 * Returns a fresh UUIDv7 in its native form, as the database stores it. Its time is the database's, by which events and
 * log entries are removed; those of one process rise, also within a millisecond and when the time is set back a little.
 */
export function newUuid(): string {
  const ms = Math.floor(currentTime());
  if (ms > lastMs || ms < lastMs - MOST_BACK_MS) {
    lastMs = ms;
    // Half of the range is left to count up in.
    sequence = randomInt(2 ** 31);
  } else sequence += 1;
  return uuidv7({ msecs: lastMs, seq: sequence });
}

/** A fresh public id, for what is never stored (requests). */
export function newId(kind: IdKind): string {
  return encodeId(kind, newUuid());
}

/** The public form of a stored UUID: `doc_01h455vb4pex5vsknk084sn02q`. */
export function encodeId(kind: IdKind, uuid: string): string {
  return `${ID_PREFIXES[kind]}_${base32Of(uuid)}`;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Two characters for each ten bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31),
);

/** The 130 bits of a TypeID, of which the first two are 0. By hand: typeid-js takes five times as long, a tenth of a list. */
function base32Of(uuid: string): string {
  const a = parseInt(uuid.slice(0, 8), 16);
  const b = parseInt(uuid.slice(9, 13) + uuid.slice(14, 18), 16);
  const c = parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16);
  const d = parseInt(uuid.slice(28), 16);
  const pair = (bits: number) => PAIRS[bits & 1023] ?? '';
  return (
    pair(a >>> 24) +
    pair(a >>> 14) +
    pair(a >>> 4) +
    pair((a << 6) | (b >>> 26)) +
    pair(b >>> 16) +
    pair(b >>> 6) +
    pair((b << 4) | (c >>> 28)) +
    pair(c >>> 18) +
    pair(c >>> 8) +
    pair((c << 2) | (d >>> 30)) +
    pair(d >>> 20) +
    pair(d >>> 10) +
    pair(d)
  );
}

/** The UUID behind a public id, or `undefined` when the text is not an id of this kind. */
export function decodeId(kind: IdKind, id: string): string | undefined {
  try {
    return toUUID(fromString(id, ID_PREFIXES[kind]));
  } catch {
    return undefined;
  }
}

/** The kind and the UUID of a public id of whatever kind, or `undefined` when the text is none. */
export function decodeAnyId(id: string): { kind: IdKind; uuid: string } | undefined {
  const prefix = id.slice(0, id.indexOf('_'));
  const kind = (Object.keys(ID_PREFIXES) as IdKind[]).find((one) => ID_PREFIXES[one] === prefix);
  if (kind === undefined) return undefined;
  const uuid = decodeId(kind, id);
  return uuid === undefined ? undefined : { kind, uuid };
}

/** The UUID behind a public id of a request. Throws `not_found` when the text is not an id of this kind. */
export function uuidOf(kind: IdKind, id: string): string {
  const uuid = decodeId(kind, id);
  if (uuid === undefined) throw notFound(kind);
  return uuid;
}
