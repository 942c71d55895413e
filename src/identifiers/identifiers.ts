import { fromString, fromUUID, toUUID } from 'typeid-js';
import { v7 as uuidv7 } from 'uuid';
import { notFound } from '../errors/app-error.js';

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

/** A fresh UUIDv7 in its native form, as the database stores it. */
export function newUuid(): string {
  return uuidv7();
}

/** A fresh public id, for what is never stored (requests). */
export function newId(kind: IdKind): string {
  return fromUUID(uuidv7(), ID_PREFIXES[kind]);
}

/** Public forms written lately: accounts, keys and creators come up at every request. */
const written = Object.fromEntries(
  Object.keys(ID_PREFIXES).map((kind) => [kind, new Map<string, string>()]),
) as Record<IdKind, Map<string, string>>;
/** Of each kind. */
const MAX_WRITTEN = 1_000;

/** The public form of a stored UUID: `doc_01h455vb4pex5vsknk084sn02q`. */
export function encodeId(kind: IdKind, uuid: string): string {
  const ofKind = written[kind];
  const known = ofKind.get(uuid);
  if (known !== undefined) return known;
  const id = fromUUID(uuid, ID_PREFIXES[kind]);
  if (ofKind.size >= MAX_WRITTEN) ofKind.clear();
  ofKind.set(uuid, id);
  return id;
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
