/** A key of the metadata with its value as it is shown and typed. */
export interface MetadataRow {
  key: string;
  value: string;
}

type Metadata = Readonly<Record<string, unknown>>;

/** Everything but the tags, which have a field of their own. What is no text is shown as JSON. */
export function metadataRows(metadata: Metadata): MetadataRow[] {
  return Object.entries(metadata)
    .filter(([key, value]) => key !== 'tags' || !isTags(value))
    .map(([key, value]) => ({ key, value: shownValue(value) }));
}

function isTags(value: unknown): boolean {
  return Array.isArray(value) && value.every((tag) => typeof tag === 'string');
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The merge patch that makes `before` what the rows say; undefined when nothing differs. A value that was no text stays
 * none while it is JSON; others are texts.
 */
export function metadataPatch(
  before: Metadata,
  rows: readonly MetadataRow[],
  tags: readonly string[],
): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  const named = rows.filter(({ key }) => key.trim() !== '');
  const keys = new Set(named.map(({ key }) => key.trim()));
  for (const { key } of metadataRows(before)) if (!keys.has(key)) patch[key] = null;
  for (const { key: typed, value } of named) {
    const key = typed.trim();
    const old = before[key];
    if (old === undefined || shownValue(old) !== value) patch[key] = valueOf(old, value);
  }
  const oldTags = isTags(before['tags']) ? (before['tags'] as string[]) : [];
  if (JSON.stringify(oldTags) !== JSON.stringify(tags)) {
    patch['tags'] = tags.length === 0 ? null : tags;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function valueOf(old: unknown, typed: string): unknown {
  if (old === undefined || typeof old === 'string') return typed;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}
