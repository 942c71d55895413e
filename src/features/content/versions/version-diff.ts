import { readJsonTree } from '../../../platform/http/bodies/json-syntax-tree.js';
import { sameJson } from './same-json.js';

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
