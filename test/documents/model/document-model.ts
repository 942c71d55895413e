import { countWords } from '@document-service/text-analysis/word-count';
import { editedText, type Edit } from './edited-text.js';
import { EMPTY, merged, textOf, type Json } from './json-tree.js';
import type {
  DocumentState,
  ExpectedEntry,
  ExpectedEvent,
  FieldName,
  Fields,
  FieldsPatch,
  KeyName,
  Outcome,
  VersionState,
} from './model-types.js';

const ALLOWED: Record<string, string[]> = {
  draft: ['in_review', 'published', 'archived'],
  in_review: ['draft', 'published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
};
const FIELD_NAMES = ['title', 'type', 'content', 'metadata', 'aiSettings', 'status'] as const;
const NEW: Fields = {
  title: '',
  type: 'document',
  content: '',
  metadata: EMPTY,
  aiSettings: EMPTY,
  status: 'draft',
};
export const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** An entity tag in a list. */
const TAG = /(?:W\/)?"[^"]*"/g;

/** The documents of one account in the simplest form: every version complete, nothing shared, nothing concurrent. */
export class DocumentModel {
  documents = new Map<number, DocumentState>();
  readonly events: ExpectedEvent[] = [];
  readonly entries: ExpectedEntry[] = [];
  now = 0;
  key: KeyName = 'all';
  made = 0;

  create(fields: FieldsPatch): Outcome {
    const version = this.version({ ...NEW, ...fields }, [], 1);
    const document = { ref: this.made, versions: [version], deletedAt: undefined };
    this.made += 1;
    this.documents.set(document.ref, document);
    this.record(document, 'document.create', {}, [['document.created', {}]]);
    return { status: 201, document };
  }

  patch(ref: number, ifMatch: string | undefined, patch: FieldsPatch): Outcome {
    return this.change(ref, ifMatch, (now) => ({
      ...patch,
      ...(patch.metadata ? { metadata: merged(now.metadata, patch.metadata) } : {}),
      ...(patch.aiSettings ? { aiSettings: merged(now.aiSettings, patch.aiSettings) } : {}),
    }));
  }

  put(ref: number, ifMatch: string | undefined, fields: FieldsPatch): Outcome {
    return this.change(ref, ifMatch, ({ status }) => ({ ...NEW, status, ...fields }));
  }

  edit(ref: number, ifMatch: string | undefined, edits: readonly Edit[]): Outcome {
    return this.change(ref, ifMatch, ({ content }) => {
      let text = content;
      for (const [index, edit] of edits.entries()) {
        const edited = editedText(text, edit);
        if ('reason' in edited) return { status: 422, details: { index, ...edited } };
        text = edited.text;
      }
      return { content: text };
    });
  }

  restoreVersion(ref: number, ifMatch: string | undefined, number: number): Outcome {
    return this.change(ref, ifMatch, (now, { versions }) => {
      const version = versions[number - 1];
      return version ? { ...version, status: now.status } : { status: 404 };
    });
  }

  delete(ref: number, ifMatch: string | undefined): Outcome {
    const document = this.live(ref);
    if (!document) return { status: 404 };
    const refusal = this.mismatch(document, ifMatch);
    if (refusal) return refusal;
    this.documents.set(ref, { ...document, deletedAt: this.now });
    this.record(document, 'document.delete', {}, [['document.deleted', {}]]);
    return { status: 200, deleted: { ref, restorableUntil: this.now + THIRTY_DAYS } };
  }

  /** Deletes permanently, even from the trash. */
  remove(ref: number, ifMatch: string | undefined): Outcome {
    if (this.key === 'writer') return { status: 403 };
    const document = this.documents.get(ref);
    if (!document) return { status: 404 };
    const refusal = this.mismatch(document, ifMatch);
    if (refusal) return refusal;
    this.documents.delete(ref);
    const told = document.deletedAt !== undefined;
    this.record(document, 'document.purge', {}, told ? [] : [['document.deleted', {}]]);
    return { status: 200, deleted: { ref, restorableUntil: null } };
  }

  restore(ref: number): Outcome {
    const document = this.documents.get(ref);
    if (!document) return { status: 404 };
    if (document.deletedAt === undefined) return { status: 409 };
    if (document.deletedAt + THIRTY_DAYS <= this.now) return { status: 404 };
    const restored = { ...document, deletedAt: undefined };
    this.documents.set(ref, restored);
    this.record(document, 'document.restore', {}, [['document.restored', {}]]);
    return { status: 200, document: restored };
  }

  /** The service does this automatically after 30 days. */
  emptyTrash(): void {
    for (const { ref, deletedAt } of [...this.documents.values()]) {
      if (deletedAt === undefined || deletedAt + THIRTY_DAYS > this.now) continue;
      this.documents.delete(ref);
      const details = { by: 'service', reason: '30 days in the trash' };
      const [action, at] = ['document.purge', this.now];
      this.entries.push({ ref, action, at, details, key: undefined, requestId: undefined });
    }
  }

  /** Runs `work`. If it fails, it has no effect. */
  attempt(work: () => boolean): boolean {
    const documents = new Map(this.documents);
    const [events, entries] = [this.events.length, this.entries.length];
    if (work()) return true;
    this.documents = documents;
    this.events.length = events;
    this.entries.length = entries;
    return false;
  }

  /** Returns false if it was permanently deleted. */
  has(ref: number): boolean {
    return this.documents.has(ref);
  }

  live(ref: number): DocumentState | undefined {
    const document = this.documents.get(ref);
    return document?.deletedAt === undefined ? document : undefined;
  }

  private change(
    ref: number,
    ifMatch: string | undefined,
    wanted: (
      now: VersionState,
      document: DocumentState,
    ) => FieldsPatch | { status: number; details?: object },
  ): Outcome {
    const document = this.live(ref);
    if (!document) return { status: 404 };
    const refusal = this.mismatch(document, ifMatch);
    if (refusal) return refusal;
    const now = newest(document);
    const found = wanted(now, document);
    if (typeof found.status === 'number') return found as { status: number };
    const next = { ...now, ...(found as FieldsPatch) };
    if (next.status !== now.status && !ALLOWED[now.status]?.includes(next.status)) {
      const [from, to] = [now.status, next.status];
      return { status: 409, details: { from, to, allowed: ALLOWED[now.status] } };
    }
    const changes = FIELD_NAMES.filter((name) => spelling(now[name]) !== spelling(next[name]));
    if (changes.length === 0) return { status: 200, document };
    const version = this.version(next, changes, now.number + 1);
    const changed = { ...document, versions: [...document.versions, version] };
    this.documents.set(ref, changed);
    const details = { version: version.number, changes };
    this.record(changed, 'document.update', details, eventsOf(now.status, next.status, changes));
    return { status: 200, document: changed };
  }

  private version(
    { title, type, content, metadata, aiSettings, status }: Fields,
    changes: FieldName[],
    number: number,
  ): VersionState {
    const fields = { title, type, content, metadata, aiSettings, status };
    return { ...fields, number, changes, wordCount: countWords(content), at: this.now };
  }

  private mismatch(document: DocumentState, ifMatch: string | undefined): Outcome | undefined {
    if (ifMatch === undefined) return undefined;
    const { number } = newest(document);
    if (ifMatch === '*') return undefined;
    if ((ifMatch.match(TAG) ?? []).some((tag) => tag === `"${String(number)}"`)) return undefined;
    const details = { currentVersion: number, currentETag: `"${String(number)}"` };
    return { status: 412, details };
  }

  private record(
    document: DocumentState,
    action: string,
    details: object,
    events: readonly (readonly [string, object])[],
  ): void {
    const { ref } = document;
    const about = { ref, at: this.now, key: this.key, requestId: '' };
    this.entries.push({ ...about, action, details });
    const version = newest(document);
    for (const [type, more] of events) this.events.push({ ...about, type, more, version });
  }
}

export function newest({ versions }: DocumentState): VersionState {
  const version = versions.at(-1);
  if (!version) throw new Error('A document has at least one version.');
  return version;
}

function spelling(value: string | Json): string {
  return typeof value === 'string' ? value : textOf(value);
}

function eventsOf(from: string, to: string, changes: FieldName[]): [string, object][] {
  const updated: [string, object] = ['document.updated', { changes }];
  if (from === to) return [updated];
  const moved = { changes: ['status'], from, to };
  const reached = to === 'published' || to === 'archived' ? [`document.${to}`] : [];
  return [
    updated,
    ...['document.status_changed', ...reached].map((type) => [type, moved] as [string, object]),
  ];
}
