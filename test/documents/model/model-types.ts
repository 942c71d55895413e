import type { Json } from './json-tree.js';

/** The key that sent a request. Both belong to the same user. */
export type KeyName = 'all' | 'writer';

export interface Fields {
  title: string;
  type: string;
  content: string;
  metadata: Json;
  aiSettings: Json;
  status: string;
}
export type FieldName = keyof Fields;
export type FieldsPatch = Partial<Omit<Fields, 'metadata' | 'aiSettings'>> & {
  metadata?: Json;
  aiSettings?: Json;
};

export interface VersionState extends Fields {
  number: number;
  changes: FieldName[];
  wordCount: number;
  at: number;
}

/** A document is identified by the order of its creation. Its id comes with the response. */
export interface DocumentState {
  ref: number;
  versions: readonly VersionState[];
  deletedAt: number | undefined;
}

export interface ExpectedEvent {
  ref: number;
  type: string;
  at: number;
  version: VersionState;
  more: object;
  key: KeyName;
  requestId: string;
}

export interface ExpectedEntry {
  ref: number;
  action: string;
  at: number;
  details: object;
  /** Undefined for what the service does by itself. */
  key: KeyName | undefined;
  requestId: string | undefined;
}

/** Outcome of an operation, as a response or as a result in a batch. */
export type Outcome =
  | { status: number; document: DocumentState }
  | { status: 200; deleted: { ref: number; restorableUntil: number | null } }
  | { status: number; details?: object };
