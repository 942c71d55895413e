import { stringValue, readJsonTree } from '../../../platform/http/bodies/json-syntax-tree.js';

/** Matches a string, or whitespace between tokens, in valid JSON. */
const STRING_OR_SPACE = /"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g;

/**
 * Returns true if two valid JSON texts are equal except for whitespace and string escapes. Member order and number
 * spelling matter (`1.0` differs from `1`), because values are returned exactly as they were sent.
 */
export function sameJson(one: string, other: string): boolean {
  return one === other || compact(one) === compact(other);
}

/** Removes whitespace and normalizes string escapes. */
function compact(text: string): string {
  return text.replace(STRING_OR_SPACE, (found) =>
    found.startsWith('"') ? JSON.stringify(stringValue(found)) : '',
  );
}

/**
 * Returns the differences between the members of two JSON objects as JSON text:
 * `{"added":{name:value},"removed":{name:value},"changed":{name:{"from":value,"to":value}}}`. Values keep their original
 * spelling. Members that are equal by {@link sameJson} are omitted; member order is ignored.
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

/** Returns the members of a JSON object, each with the source text of its value. */
export function membersOf(text: string): Map<string, string> {
  const members = readJsonTree(text).root.members ?? new Map<string, never>();
  return new Map(
    Array.from(members, ([name, { value }]) => [name, text.slice(value.start, value.end)]),
  );
}
