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

/** The values in metadata as they were sent, by dotted path such as `client.name`. A list has several. */
type MetadataTexts = ReadonlyMap<string, readonly string[]>;

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
  const after = textsOf(document.metadata);
  const isSameMetadata = before.metadata === document.metadata;
  const earlier = isSameMetadata ? after : textsOf(before.metadata);
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

function stateOf({ type, status }: FilteredFields, metadata: MetadataTexts): EventState {
  const state: Record<string, readonly string[]> = { types: [type], statuses: [status] };
  const [tags, project] = [metadata.get('tags'), metadata.get('project')];
  if (tags) state['tags'] = valuesOf(tags);
  if (project) state['projects'] = valuesOf(project);
  for (const [path, texts] of [...metadata].slice(0, MAX_PATHS)) {
    const values = valuesOf(texts);
    if (values.length > 0) state[METADATA_PREFIX + path] = values;
  }
  return state;
}

/** Returns the values that a filter can name. */
function valuesOf(texts: readonly string[]): string[] {
  const values = new Set<string>();
  for (const text of texts) {
    if (WITHOUT_VALUE.has(text)) continue;
    const value = text.startsWith(NOT_A_STRING) ? text.slice(NOT_A_STRING.length) : text;
    if (value.length <= MAX_FILTER_CHARACTERS) values.add(value);
  }
  return [...values];
}

/** Returns the paths at or below which a value differs. */
function changedPaths(before: MetadataTexts, after: MetadataTexts): string[] {
  const changed = new Set<string>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (isDeepStrictEqual(before.get(path), after.get(path))) continue;
    for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
      if (changed.size === MAX_PATHS) return [...changed];
      changed.add(METADATA_PREFIX + path.slice(0, end));
    }
  }
  return [...changed];
}

/**
 * Returns the values in metadata by dotted path, as the label index of lists does: numbers as they were sent, the items of
 * lists under the path of the list. Skips paths that no filter can name.
 */
function textsOf(metadata: string): MetadataTexts {
  const found = new Map<string, string[]>();
  if (metadata === '{}') return found;
  const add = (value: unknown, path: string): void => {
    if (path.length > MAX_FILTER_CHARACTERS) return;
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value);
      for (const [name, member] of members) {
        add(member, Array.isArray(value) ? path : `${path}.${name}`);
      }
      if (members.length > 0) return;
    }
    const text = typeof value === 'string' ? value : NOT_A_STRING + JSON.stringify(value);
    const texts = found.get(path);
    if (texts) texts.push(text);
    else found.set(path, [text]);
  };
  for (const [name, value] of Object.entries(parseWithNumberTexts(metadata))) add(value, name);
  return found;
}

/** Parses an object with its numbers as {@link NOT_A_STRING} texts. */
function parseWithNumberTexts(text: string): object {
  const quoted = text.replace(STRING_OR_NUMBER, (found) =>
    found.startsWith('"') ? found : `"\\u0000${found}"`,
  );
  return JSON.parse(quoted) as object;
}
