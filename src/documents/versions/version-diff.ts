import type { DocumentStatus } from '../document-status.js';
import type { DocumentType } from '../document-type.js';
import { memberChanges } from './member-changes.js';

/** A document as one of its versions was. `metadata` and `aiSettings` are the JSON text that was sent. */
export interface VersionSnapshot {
  version: number;
  title: string;
  type: DocumentType;
  status: DocumentStatus;
  content: string;
  metadata: string;
  aiSettings: string;
}

export interface Change<Value> {
  from: Value;
  to: Value;
}

/** How a version became another; a field that is the same in both is left out. */
export interface VersionDiff {
  title?: Change<string>;
  type?: Change<DocumentType>;
  status?: Change<DocumentStatus>;
  /** JSON text of a `ContentDiff`. */
  content: string;
  /** JSON text, see `memberChanges`. */
  metadata: string;
  /** JSON text, see `memberChanges`. */
  aiSettings: string;
}

/** What a reader has to know to turn `from` into `to`; `content` says how their contents differ, as JSON text. */
export function diffVersions(
  from: VersionSnapshot,
  to: VersionSnapshot,
  content: string,
): VersionDiff {
  return {
    ...changeOf('title', from.title, to.title),
    ...changeOf('type', from.type, to.type),
    ...changeOf('status', from.status, to.status),
    content,
    metadata: memberChanges(from.metadata, to.metadata),
    aiSettings: memberChanges(from.aiSettings, to.aiSettings),
  };
}

function changeOf<Name extends string, Value>(
  name: Name,
  from: Value,
  to: Value,
): Partial<Record<Name, Change<Value>>> {
  return from === to ? {} : ({ [name]: { from, to } } as Record<Name, Change<Value>>);
}
