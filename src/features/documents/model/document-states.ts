import { isDeepStrictEqual } from 'node:util';
import {
  ANY_CHANGE,
  MAX_FILTER_CHARACTERS,
  METADATA_PREFIX,
  type EventState,
} from '../../events/event-states.js';
import type { Document } from './document-fields.js';

/** Maximum number of metadata paths that webhooks can filter a document by, in document order. It limits the stored event. */
const MAX_PATHS = 500;

/** Strings and numbers in JSON. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Precedes the text of values that are not strings. Stored strings do not contain U+0000. */
const NOT_A_STRING = '\0';
const WITHOUT_VALUE: ReadonlySet<string> = new Set(
  ['null', '{}', '[]'].map((text) => NOT_A_STRING + text),
);

/** A place in metadata that holds values, such as `client.name`. */
interface MetadataLeaf {
  /** Paths of the objects that contain it. */
  parents: readonly string[];
  /** The values as they were sent, several for a list. */
  texts: string[];
}
type MetadataLeaves = ReadonlyMap<string, MetadataLeaf>;

type FilteredFields = Pick<Document, 'type' | 'status' | 'metadata'>;

/**
 * Returns the values that webhooks filter by: of the document and, if they differ, of its previous state. `changes` are the
 * changed fields that the event names; missing for events that name none.
 */
export function statesOf(
  document: FilteredFields,
  before: FilteredFields = document,
  changes?: readonly string[],
): EventState[] {
  const after = leavesOf(document.metadata);
  const isSameMetadata = before.metadata === document.metadata;
  const earlier = isSameMetadata ? after : leavesOf(before.metadata);
  const named = {
    changes: !changes
      ? [ANY_CHANGE]
      : changes.includes('metadata')
        ? [...changes, ...changedPaths(earlier, after)]
        : changes,
  };
  const state = { ...named, ...stateOf(document, after) };
  if (isSameMetadata && before.type === document.type && before.status === document.status) {
    return [state];
  }
  return [{ ...named, ...stateOf(before, earlier) }, state];
}

function stateOf({ type, status }: FilteredFields, leaves: MetadataLeaves): EventState {
  const state: Record<string, readonly string[]> = { types: [type], statuses: [status] };
  const [tags, project] = [leaves.get('tags'), leaves.get('project')];
  if (tags) state['tags'] = valuesOf(tags);
  if (project) state['projects'] = valuesOf(project);
  for (const [path, leaf] of [...leaves].slice(0, MAX_PATHS)) {
    const values = valuesOf(leaf);
    if (values.length > 0) state[METADATA_PREFIX + path] = values;
  }
  return state;
}

/** Returns the values that a filter can name, as they were sent. */
function valuesOf({ texts }: MetadataLeaf): string[] {
  const values = new Set<string>();
  for (const text of texts) {
    if (WITHOUT_VALUE.has(text)) continue;
    const value = text.startsWith(NOT_A_STRING) ? text.slice(NOT_A_STRING.length) : text;
    if (value.length <= MAX_FILTER_CHARACTERS) values.add(value);
  }
  return [...values];
}

/** Returns the paths whose values differ, and those of the objects that contain them. */
function changedPaths(before: MetadataLeaves, after: MetadataLeaves): string[] {
  const changed = new Set<string>();
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    for (const [path, { parents, texts }] of one) {
      if (changed.size >= MAX_PATHS) return [...changed];
      if (isDeepStrictEqual(texts, other.get(path)?.texts)) continue;
      for (const name of [...parents, path]) changed.add(METADATA_PREFIX + name);
    }
  }
  return [...changed];
}

/**
 * Returns the values in metadata by dotted path, as the label index of lists does: numbers as they were sent, the items of
 * lists under the path of the list. Skips paths that no filter can name.
 */
function leavesOf(metadata: string): MetadataLeaves {
  const leaves = new Map<string, MetadataLeaf>();
  if (metadata === '{}') return leaves;
  const add = (value: unknown, path: string, parents: readonly string[]): void => {
    if (path.length > MAX_FILTER_CHARACTERS) return;
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value);
      const isList = Array.isArray(value);
      for (const [name, member] of members) {
        if (isList) add(member, path, parents);
        else add(member, `${path}.${name}`, [...parents, path]);
      }
      if (members.length > 0) return;
    }
    const text =
      typeof value === 'string'
        ? value
        : NOT_A_STRING + (typeof value === 'object' ? JSON.stringify(value) : String(value));
    const leaf = leaves.get(path);
    if (leaf) leaf.texts.push(text);
    else leaves.set(path, { parents, texts: [text] });
  };
  for (const [name, value] of Object.entries(parseWithNumberTexts(metadata))) add(value, name, []);
  return leaves;
}

/** Parses an object with its numbers as {@link NOT_A_STRING} texts. */
function parseWithNumberTexts(text: string): object {
  const quoted = text.replace(STRING_OR_NUMBER, (found) =>
    found.startsWith('"') ? found : `"\\u0000${found}"`,
  );
  return JSON.parse(quoted) as object;
}
