import { parseObject } from '../../../platform/http/bodies/json-text.js';
import { readJsonTree } from '../../../platform/http/bodies/json-syntax-tree.js';
import { applyMergePatch } from '../../content/json-merge-patch.js';
import { metadataProblems } from '../../content/open-objects.js';
import { fieldChangeId } from '../../content/text/proposed-changes.js';
import { membersOf, sameJson } from '../../content/versioning/json-comparison.js';
import type { Document, DocumentFields } from '../../documents/model/document-fields.js';
import { invalidFields } from '../../../platform/basics/errors/app-error.js';
import type { FieldChange } from '../enhancements/enhancement.js';

const TITLE = 'title';
const METADATA = 'metadata.';

/** The fields of a document that a proposal can change besides its content. */
type State = Pick<Document, 'title' | 'metadata'>;

/** Returns the changes that setting these fields would make, one for the title and one for each member of the metadata. */
export function fieldChanges(
  document: State,
  { title = document.title, metadata = document.metadata }: Partial<DocumentFields>,
  reason: string,
): FieldChange[] {
  const before = valuesOf(document);
  const after = valuesOf({ title, metadata });
  const fields = [...new Set([...before.keys(), ...after.keys()])];
  return fields.flatMap((field): FieldChange[] => {
    const [from, to] = [before.get(field) ?? null, after.get(field) ?? null];
    if (isSame(from, to)) return [];
    const id = fieldChangeId(field, from, to);
    return [{ id, field, from, to, reason, status: 'open', appliedVersion: null }];
  });
}

/** Returns the changes with those as `stale` that are open and whose field no longer has the value `from`. */
export function currentFieldChanges(
  document: State,
  changes: readonly FieldChange[],
): FieldChange[] {
  if (changes.length === 0) return [];
  const values = valuesOf(document);
  return changes.map((change) =>
    change.status === 'open' && !isSame(values.get(change.field) ?? null, change.from)
      ? { ...change, status: 'stale' }
      : change,
  );
}

/** Returns the fields with these changes. Throws `bad_request` for metadata that would be too large or invalid. */
export function withFieldChanges(
  { metadata }: State,
  changes: readonly FieldChange[],
): Partial<Pick<DocumentFields, 'title' | 'metadata'>> {
  const title = changes.find(({ field }) => field === TITLE)?.to;
  const members = changes.filter(({ field }) => field.startsWith(METADATA));
  const changed = members.reduce(
    (text, { field, to }) => withMember(text, field.slice(METADATA.length), to),
    metadata,
  );
  const [first, ...rest] = changed === metadata ? [] : metadataProblems(parseObject(changed));
  if (first) throw invalidFields([first, ...rest]);
  return {
    ...(typeof title === 'string' && { title: JSON.parse(title) as string }),
    ...(members.length > 0 && { metadata: changed }),
  };
}

/** Sets one member of a JSON object to this JSON text, or removes it. */
function withMember(text: string, name: string, to: string | null): string {
  if (to === null) return applyMergePatch(text, JSON.stringify({ [name]: null }));
  const existing = membersOf(text).has(name);
  const target = existing ? text : applyMergePatch(text, JSON.stringify({ [name]: 0 }));
  const value = readJsonTree(target).root.members?.get(name)?.value;
  return value ? target.slice(0, value.start) + to + target.slice(value.end) : target;
}

/** Returns the JSON text of each field. */
function valuesOf({ title, metadata }: State): Map<string, string> {
  const values = new Map([[TITLE, JSON.stringify(title)]]);
  for (const [name, value] of membersOf(metadata)) values.set(`${METADATA}${name}`, value);
  return values;
}

function isSame(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : one === other || sameJson(one, other);
}
