/** JSON as spelled: members in order, everything else as text. Written without white space. */
export type Json = { members: ReadonlyMap<string, Json> } | { text: string };

export const EMPTY: Json = { members: new Map() };
export const NULL: Json = { text: 'null' };

export function textOf(json: Json): string {
  if ('text' in json) return json.text;
  const members = Array.from(
    json.members,
    ([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`,
  );
  return `{${members.join(',')}}`;
}

/** RFC 7396, section 2, literally, on trees that preserve spelling. */
export function merged(target: Json, patch: Json): Json {
  if ('text' in patch) return patch;
  const members = new Map('text' in target ? [] : target.members);
  for (const [name, value] of patch.members) {
    if ('text' in value && value.text === 'null') members.delete(name);
    else members.set(name, merged(members.get(name) ?? EMPTY, value));
  }
  return { members };
}
