import {
  COPIED_FIELDS,
  DOCUMENT_FIELDS,
  fieldOf,
  KEPT_IF_CHANGED,
  type CopiedField,
  type PatchableField,
} from '../document-fields.js';
import { shownValue } from '../../content/versions/field-map.js';
import { memberChanges } from '../../content/versions/version-diff.js';
import type { WholeVersion } from './document-versions.js';

/** What a diff leaves out when it is the same. */
export const PLAIN_FIELDS = COPIED_FIELDS.filter(
  (name): name is CopiedField & PatchableField => fieldOf(name).patchable !== false,
);

/**
 * What a reader has to know to turn `from` into `to`, as JSON text; `content` says how their contents differ, as JSON
 * text too.
 */
export function diffVersions(from: WholeVersion, to: WholeVersion, content: string): string {
  const plain = PLAIN_FIELDS.filter((name) => from[name] !== to[name]).map((name) => {
    const [before = '', after = ''] = [from, to].map((version) =>
      shownValue(DOCUMENT_FIELDS, name, version[name]),
    );
    return `"${name}":{"from":${before},"to":${after}}`;
  });
  const objects = KEPT_IF_CHANGED.map((name) => `"${name}":${memberChanges(from[name], to[name])}`);
  const numbers = `"from":${String(from.number)},"to":${String(to.number)}`;
  return `{${[numbers, ...plain, `"content":${content}`, ...objects].join(',')}}`;
}
