import { isDeepStrictEqual } from 'node:util';
import {
  ANY_CHANGE,
  MAX_FILTER_CHARACTERS,
  METADATA_PREFIX,
  type EventState,
} from '../../events/event-states.js';
import type { Document } from './document-fields.js';

/** Maximum number of metadata paths of a document that webhooks can filter by. It limits the size of stored events. */
const MAX_PATHS = 500;

/** Strings and numbers in JSON. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Precedes the text of values that are not strings. Stored strings do not contain U+0000. */
const NOT_A_STRING = '\0';
const WITHOUT_VALUE: ReadonlySet<string> = new Set(
  ['null', '{}', '[]'].map((text) => NOT_A_STRING + text),
);

/**
 * The values in metadata as they were sent, by name in an {@link EventState}, such as `metadata.client.name`. A list has
 * several.
 */
type MetadataTexts = ReadonlyMap<string, readonly string[]>;

type FilteredFields = Pick<Document, 'type' | 'status' | 'metadata'>;

/**
 * Returns the values that webhooks filter by: of the document and, if they differ, of its previous state. `changes` are the
 * changed fields that the event names; missing for events that name none.
 */
export function statesOf(
  document: FilteredFields,
  before: FilteredFields = document,
  changes: readonly string[] = [ANY_CHANGE],
): EventState[] {
  const after = textsOf(document.metadata);
  const isSameMetadata = before.metadata === document.metadata;
  const earlier = isSameMetadata ? after : textsOf(before.metadata);
  const named = changes.includes('metadata')
    ? [...changes, ...changedPaths(earlier, after)]
    : changes;
  const state = stateOf(document, after, named);
  if (isSameMetadata && before.type === document.type && before.status === document.status) {
    return [state];
  }
  return [stateOf(before, earlier, named), state];
}

function stateOf(
  { type, status }: FilteredFields,
  metadata: MetadataTexts,
  changes: readonly string[],
): EventState {
  const state: Record<string, readonly string[]> = { changes, types: [type], statuses: [status] };
  const tags = metadata.get(`${METADATA_PREFIX}tags`);
  const projects = metadata.get(`${METADATA_PREFIX}project`);
  if (tags) state['tags'] = valuesOf(tags);
  if (projects) state['projects'] = valuesOf(projects);
  let paths = 0;
  for (const [path, texts] of metadata) {
    paths += 1;
    if (paths > MAX_PATHS) break;
    const values = valuesOf(texts);
    if (values.length > 0) state[path] = values;
  }
  return state;
}

/** Returns the values that a filter can name. */
function valuesOf(texts: readonly string[]): readonly string[] {
  if (texts.length > 1) return [...new Set(texts.flatMap((text) => valuesOf([text])))];
  const [text = ''] = texts;
  if (WITHOUT_VALUE.has(text)) return [];
  const value = text.startsWith(NOT_A_STRING) ? text.slice(NOT_A_STRING.length) : text;
  if (value.length > MAX_FILTER_CHARACTERS) return [];
  return value === text ? texts : [value];
}

/** Returns the paths at or below which a value differs. */
function changedPaths(before: MetadataTexts, after: MetadataTexts): Set<string> {
  const changed = new Set<string>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (isDeepStrictEqual(before.get(path), after.get(path))) continue;
    let end = path.length;
    while (end > METADATA_PREFIX.length) {
      if (changed.size === MAX_PATHS) return changed;
      changed.add(path.slice(0, end));
      end = path.lastIndexOf('.', end - 1);
    }
  }
  return changed;
}

/**
 * Returns the values in metadata by name, as the label index of lists does: numbers as they were sent, the items of lists
 * under the path of the list. Skips paths that no filter can name.
 */
function textsOf(metadata: string): MetadataTexts {
  const found = new Map<string, string[]>();
  if (metadata === '{}') return found;
  for (const [name, member] of Object.entries(parseWithNumberTexts(metadata))) {
    collectTexts(member, METADATA_PREFIX + name, found);
  }
  return found;
}

function collectTexts(value: unknown, path: string, found: Map<string, string[]>): void {
  if (path.length > METADATA_PREFIX.length + MAX_FILTER_CHARACTERS) return;
  if (Array.isArray(value) && value.length > 0) {
    for (const item of value) collectTexts(item, path, found);
  } else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value)) {
      collectTexts(member, `${path}.${name}`, found);
    }
  } else {
    const text = typeof value === 'string' ? value : NOT_A_STRING + JSON.stringify(value);
    const texts = found.get(path);
    if (texts) texts.push(text);
    else found.set(path, [text]);
  }
}

/** Parses an object with its numbers as {@link NOT_A_STRING} texts. */
function parseWithNumberTexts(text: string): object {
  const quoted = text.replace(STRING_OR_NUMBER, (found) =>
    found.startsWith('"') ? found : `"\\u0000${found}"`,
  );
  return JSON.parse(quoted) as object;
}
