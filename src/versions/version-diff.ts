import { readJsonTree } from '../envelope/json-syntax-tree.js';
import { sameJson } from '../documents/changes/same-json.js';

export interface Change<Value> {
  from: Value;
  to: Value;
}

/** The fields that differ, each with its value before and after; a field that is the same in both is left out. */
export function fieldChanges<Fields extends object, Name extends keyof Fields>(
  from: Fields,
  to: Fields,
  names: readonly Name[],
): { [Key in Name]?: Change<Fields[Key]> } {
  const changes: { [Key in Name]?: Change<Fields[Key]> } = {};
  for (const name of names) {
    if (from[name] !== to[name]) changes[name] = { from: from[name], to: to[name] };
  }
  return changes;
}

/**
 * How one JSON object became another, by its own names: the JSON text
 * `{"added":{name:value},"removed":{name:value},"changed":{name:{"from":value,"to":value}}}`, in which every value is
 * spelled as it was sent. What is the same in the sense of `sameJson` is left out, and so is a change of order alone.
 */
export function memberChanges(from: string, to: string): string {
  const before = membersOf(from);
  const after = membersOf(to);
  const added: string[] = [];
  const removed: string[] = [];
  const changed: string[] = [];
  for (const [name, value] of before) {
    const now = after.get(name);
    if (now === undefined) removed.push(`${JSON.stringify(name)}:${value}`);
    else if (!sameJson(value, now)) {
      changed.push(`${JSON.stringify(name)}:{"from":${value},"to":${now}}`);
    }
  }
  for (const [name, value] of after) {
    if (!before.has(name)) added.push(`${JSON.stringify(name)}:${value}`);
  }
  return `{"added":{${added.join(',')}},"removed":{${removed.join(',')}},"changed":{${changed.join(',')}}}`;
}

function membersOf(text: string): Map<string, string> {
  const members = readJsonTree(text).root.members ?? new Map<string, never>();
  return new Map(
    Array.from(members, ([name, { value }]) => [name, text.slice(value.start, value.end)]),
  );
}
