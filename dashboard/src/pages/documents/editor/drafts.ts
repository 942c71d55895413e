import { del, entries, set } from 'idb-keyval';
import type { Draft } from './autosave.js';
import type { Texts } from './merge.js';

/** Whose drafts, and of which document. A browser may have several people, each with several accounts. */
export interface DraftPlace {
  userId: string;
  accountId: string;
  /** `new` before there is one. */
  documentId: string;
}

interface KeptDraft extends Draft {
  at: string;
}

/** A text of yours that another one has replaced. */
export interface KeptText extends Texts {
  key: string;
  at: string;
}

/** This page load: two tabs must not write over each other's draft. */
const TAB = crypto.randomUUID();

const placeKey = ({ userId, accountId, documentId }: DraftPlace) =>
  `${userId}/${accountId}/${documentId}`;

/** Keeps the newest draft of a document in IndexedDB, under the document and the version it began from. */
export class DraftKeeper {
  private wanted: Draft | undefined;
  private writing: Promise<void> | undefined;
  private readonly prefix: string;
  private readonly written = new Set<string>();

  /** `onFailure` hears that the browser keeps nothing. */
  constructor(
    place: DraftPlace,
    private readonly onFailure: () => void = () => undefined,
  ) {
    this.prefix = `draft/${placeKey(place)}/`;
  }

  /** `found` are the keys of drafts that this one goes on from. */
  replaces(found: readonly string[]): void {
    for (const key of found) this.written.add(key);
  }

  /** Resolves when this draft, or a newer one, is kept. */
  keep(draft: Draft | undefined): Promise<void> {
    this.wanted = draft;
    this.writing ??= Promise.resolve().then(() => this.write());
    return this.writing;
  }

  /** Writes until what is wanted is written; drafts that came meanwhile are passed over. */
  private async write(): Promise<void> {
    let done: Draft | undefined | null = null;
    while (done !== this.wanted) {
      done = this.wanted;
      const key = done && `${this.prefix}${String(done.base.version)}/${TAB}`;
      try {
        if (done && key) await set(key, { ...done, at: new Date().toISOString() });
        for (const old of this.written) if (old !== key) await del(old);
        this.written.clear();
        if (key) this.written.add(key);
      } catch {
        this.onFailure();
      }
    }
    this.writing = undefined;
  }
}

/** What this browser has of the document, the newest draft first. */
export async function readDrafts(
  place: DraftPlace,
): Promise<{ key: string; draft: Draft; at: string }[]> {
  const found = await readAll<KeptDraft>(`draft/${placeKey(place)}/`);
  return found.map(([key, { at, ...draft }]) => ({ key, draft, at }));
}

/** Keeps a text that was given up for another one, until it is dismissed. */
export async function keepText(place: DraftPlace, { title, content }: Texts): Promise<void> {
  const at = new Date().toISOString();
  await set(`kept/${placeKey(place)}/${at}`, { title, content, at });
}

export async function readKeptTexts(place: DraftPlace): Promise<KeptText[]> {
  const found = await readAll<Omit<KeptText, 'key'>>(`kept/${placeKey(place)}/`);
  return found.map(([key, text]) => ({ ...text, key }));
}

export async function dismissKept(key: string): Promise<void> {
  await del(key);
}

/** The newest first. A browser that forbids storage has none. */
async function readAll<Value extends { at: string }>(prefix: string): Promise<[string, Value][]> {
  const all = await entries<string, Value>().catch(() => []);
  return all
    .filter(([key]) => key.startsWith(prefix))
    .sort(([, { at: one }], [, { at: other }]) => other.localeCompare(one));
}
