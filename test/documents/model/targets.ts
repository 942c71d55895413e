import { newest, type DocumentModel } from './document-model.js';
import { someIfMatch } from './material.js';
import type { Random } from './random.js';

const UNKNOWN = -1;
const UNKNOWN_IDS = ['doc_none', 'doc_01h455vb4pex5vsknk084sn02q'];

/** The document that a request is about, and the version that it requires. */
export interface Target {
  ref: number;
  id: string;
  path: string;
  /** The newest version, if the document exists. */
  version: number;
  content: string;
  ifMatch: string | undefined;
  headers: Record<string, string>;
}

/** Usually returns an existing document, and sometimes one that is in the trash, deleted or never created. */
export function someTarget(
  random: Random,
  model: DocumentModel,
  ids: ReadonlyMap<number, string>,
  deletedShare: number,
): Target {
  const wantsDeleted = random.chance(deletedShare);
  const wanted = [...ids.keys()].filter((ref) => (model.live(ref) === undefined) === wantsDeleted);
  const isUnknown = wanted.length === 0 || random.chance(0.03);
  const ref = isUnknown ? UNKNOWN : random.pick(wanted.slice(-6));
  const id = ids.get(ref) ?? random.pick(UNKNOWN_IDS);
  const document = model.documents.get(ref);
  const state = document && newest(document);
  const version = state?.number ?? 1;
  const ifMatch = someIfMatch(random, version);
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
  return { ref, id, path: `/${id}`, version, content: state?.content ?? '', ifMatch, headers };
}
