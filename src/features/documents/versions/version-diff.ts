import {
  COPIED_FIELDS,
  DOCUMENT_FIELDS,
  fieldOf,
  IF_CHANGED_FIELDS,
  type CopiedField,
  type PatchableField,
} from '../model/document-fields.js';
import { shownValue } from '../../content/versioning/field-map.js';
import { memberChanges } from '../../content/versioning/json-comparison.js';
import type { WholeVersion } from './document-versions.repository.js';

/** Fields that a diff omits if they are equal. */
export const PLAIN_FIELDS = COPIED_FIELDS.filter(
  (name): name is CopiedField & PatchableField => fieldOf(name).patchable !== false,
);

/** Returns the diff of two versions as JSON text. `content` is the JSON text of the content diff. */
export function diffVersions(from: WholeVersion, to: WholeVersion, content: string): string {
  const plain = PLAIN_FIELDS.filter((name) => from[name] !== to[name]).map((name) => {
    const [before = '', after = ''] = [from, to].map((version) =>
      shownValue(DOCUMENT_FIELDS, name, version[name]),
    );
    return `"${name}":{"from":${before},"to":${after}}`;
  });
  const objects = IF_CHANGED_FIELDS.map(
    (name) => `"${name}":${memberChanges(from[name], to[name])}`,
  );
  const numbers = `"from":${String(from.number)},"to":${String(to.number)}`;
  return `{${[numbers, ...plain, `"content":${content}`, ...objects].join(',')}}`;
}
