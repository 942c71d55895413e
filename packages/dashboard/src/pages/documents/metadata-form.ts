/** A key of the metadata, and its value as it is shown and edited. */
export interface MetadataRow {
  key: string;
  value: string;
  /** True if the value is JSON, because it was not a string. */
  isJson?: true;
}

type Metadata = Readonly<Record<string, unknown>>;

/** Returns everything except the tags, which have their own field. A value that is not a string is shown as JSON. */
export function metadataRows(metadata: Metadata): MetadataRow[] {
  return Object.entries(metadata)
    .filter(([key, value]) => key !== 'tags' || !isTags(value))
    .map(([key, value]) =>
      typeof value === 'string'
        ? { key, value }
        : { key, value: JSON.stringify(value), isJson: true },
    );
}

function isTags(value: unknown): boolean {
  return Array.isArray(value) && value.every((tag) => typeof tag === 'string');
}

/**
 * Returns the merge patch from `before` to the rows, undefined if nothing differs, and the problems of rows that cannot
 * be saved. Those are ignored.
 */
export function metadataChanges(
  before: Metadata,
  rows: readonly MetadataRow[],
  tags: readonly string[],
): { patch: Record<string, unknown> | undefined; problems: string[] } {
  const patch: Record<string, unknown> = {};
  const problems: string[] = [];
  const keys = new Set<string>();
  for (const row of rows) {
    const key = row.key.trim();
    if (key === '') {
      if (row.value !== '') problems.push(`Enter a key for the value “${row.value}”.`);
      continue;
    }
    if (keys.has(key)) {
      problems.push(`The key “${key}” is used twice. Rename one of them.`);
      continue;
    }
    keys.add(key);
    const value = valueOf(row);
    if (value === undefined) problems.push(notJson(key));
    else if (!(key in before) || !sameJson(before[key], value)) {
      patch[key] = mergePatch(before[key], value);
    }
  }
  for (const { key } of metadataRows(before)) if (!keys.has(key)) patch[key] = null;
  const oldTags = isTags(before['tags']) ? before['tags'] : [];
  if (!keys.has('tags') && !sameJson(oldTags, tags)) {
    patch['tags'] = tags.length === 0 ? null : tags;
  }
  return { patch: Object.keys(patch).length === 0 ? undefined : patch, problems };
}

function notJson(key: string): string {
  return `The value of “${key}” is not valid JSON. To store it as text, put it in double quotes.`;
}

/** Undefined if the JSON is invalid. */
function valueOf({ value, isJson }: MetadataRow): unknown {
  if (!isJson) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the merge patch (RFC 7396) from `before` to `after`. Removed members become null. */
function mergePatch(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const gone = Object.keys(before).filter((key) => !(key in after));
  const changed = Object.entries(after).filter(([key, value]) => !sameJson(before[key], value));
  return Object.fromEntries([
    ...gone.map((key) => [key, null] as const),
    ...changed.map(([key, value]) => [key, mergePatch(before[key], value)] as const),
  ]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if both are the same JSON value. The order of keys does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]);
}
