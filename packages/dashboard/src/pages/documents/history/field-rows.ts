import type { components } from '../../../api/v1-schema.js';

type VersionDiff = components['schemas']['VersionDiff'];

/** A field that differs. Undefined if a side does not have it. */
interface FieldChange {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

interface ValueNames {
  status: (value: string) => string;
  type: (value: string) => string;
}

interface MemberChanges {
  added?: Record<string, unknown>;
  removed?: Record<string, unknown>;
  changed?: Record<string, unknown>;
}

/** Returns all differences between two versions, except in the text. */
export function fieldChanges(diff: VersionDiff, names: ValueNames): FieldChange[] {
  const { title, type, status } = diff;
  return [
    ...(title ? [{ field: 'Title', before: title.from, after: title.to }] : []),
    ...(type
      ? [{ field: 'Type', before: shown(type.from, names.type), after: shown(type.to, names.type) }]
      : []),
    ...(status
      ? [
          {
            field: 'Status',
            before: shown(status.from, names.status),
            after: shown(status.to, names.status),
          },
        ]
      : []),
    ...members('metadata', diff.metadata),
    ...members('aiSettings', diff.aiSettings),
  ];
}

function shown(value: string | undefined, nameOf: (value: string) => string): string | undefined {
  return value === undefined ? undefined : nameOf(value);
}

function members(object: string, { added, removed, changed }: MemberChanges): FieldChange[] {
  const name = (key: string) => `${object}.${key}`;
  return [
    ...Object.entries(added ?? {}).map(([key, value]) => ({
      field: name(key),
      before: undefined,
      after: text(value),
    })),
    ...Object.entries(removed ?? {}).map(([key, value]) => ({
      field: name(key),
      before: text(value),
      after: undefined,
    })),
    ...Object.entries(changed ?? {}).map(([key, value]) => {
      const { from, to } = value as { from: unknown; to: unknown };
      return { field: name(key), before: text(from), after: text(to) };
    }),
  ];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
