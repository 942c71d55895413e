import { del, entries, set } from 'idb-keyval';
import type { Draft } from './autosave.js';
import type { Creation } from './creation.js';
import type { DetailsDraft } from './details.js';
import { liveSessions } from './live-sessions.js';
import type { Texts } from './texts.js';

/** The person, account and document of drafts. Several people may use a browser, each with several accounts. */
interface DraftPlace {
  userId: string;
  accountId: string;
  /** `new` before the document exists. */
  documentId: string;
}

/** A suggestion that is being written. */
export interface Suggesting {
  /** For the person who decides. */
  message: string;
}

/** Everything in a document that is not saved yet. */
interface SessionDraft extends Draft {
  details?: DetailsDraft | undefined;
  /** The request that creates the document, once it was sent. */
  creation?: Creation | undefined;
  /** Set if the edits are a suggestion, which is never saved to the document. */
  suggesting?: Suggesting | undefined;
  /** The template of a new document, and the values of its variables. */
  templateId?: string | undefined;
  values?: Readonly<Record<string, string>> | undefined;
}

export interface FoundDraft {
  key: string;
  /** ID of the session that wrote it. */
  sessionId: string;
  draft: SessionDraft;
  at: string;
}

/** A text of the person that was replaced by another one. */
export interface KeptText extends Texts {
  key: string;
  at: string;
}

/** Longer drafts are stored between keystrokes, because copying one takes longer than showing a letter. */
const LONG = 100_000;
/** Pause before a long draft is stored, in ms, and the maximum wait for an idle moment after it. */
const PAUSE = 300;
const IDLE_WITHIN = 300;

/** Resolves in an idle moment after a pause. */
function betweenKeys(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      if ('requestIdleCallback' in window) {
        requestIdleCallback(
          () => {
            resolve();
          },
          { timeout: IDLE_WITHIN },
        );
      } else resolve();
    }, PAUSE);
  });
}

const placeKey = ({ userId, accountId, documentId }: DraftPlace) =>
  `${userId}/${accountId}/${documentId}`;

/**
 * Stores the newest draft of a session in IndexedDB, by document and base version. The key contains the ID of the
 * session, so that two tabs do not overwrite each other's draft.
 */
export class DraftKeeper {
  private wanted: SessionDraft | undefined;
  private writing: Promise<void> | undefined;
  private readonly written = new Set<string>();

  /** `onResult` is called with whether the browser stores drafts. */
  constructor(
    private place: DraftPlace,
    private readonly sessionId: string,
    private readonly onResult: (isStored: boolean) => void,
  ) {}

  /** `found` are the keys of the drafts that this one continues. */
  replaces(found: readonly string[]): void {
    for (const key of found) this.written.add(key);
  }

  /** Stores the next draft for another document, then removes the previous one. */
  moveTo(place: DraftPlace): void {
    this.place = place;
  }

  /** Resolves when this draft, or a newer one, is stored. Undefined removes it. */
  keep(draft: SessionDraft | undefined): Promise<void> {
    this.wanted = draft;
    this.writing ??= this.ready().then(() => this.write());
    return this.writing;
  }

  /** Stores the newest draft synchronously, because the page is being left: IndexedDB might not finish. */
  keepNow(): void {
    const { wanted, writing } = this;
    if (writing && wanted)
      storeNow(this.keyOf(wanted), { ...wanted, at: new Date().toISOString() });
  }

  private keyOf({ base }: SessionDraft): string {
    return `draft/${placeKey(this.place)}/${String(base.version)}/${this.sessionId}`;
  }

  /** Stores the draft. Returns its key. */
  private async store(draft: SessionDraft): Promise<string> {
    const key = this.keyOf(draft);
    await set(key, { ...draft, at: new Date().toISOString() });
    removeStoredNow(key);
    return key;
  }

  private async ready(): Promise<void> {
    if ((this.wanted?.yours.content.length ?? 0) > LONG) await betweenKeys();
  }

  /** Writes until the newest draft is stored, and skips older ones. */
  private async write(): Promise<void> {
    let done: SessionDraft | undefined | null = null;
    while (done !== this.wanted) {
      if (done !== null) await this.ready();
      done = this.wanted;
      try {
        const key = done && (await this.store(done));
        for (const old of this.written) if (old !== key) await remove(old);
        this.written.clear();
        if (key) this.written.add(key);
        this.onResult(true);
      } catch {
        this.onResult(false);
      }
    }
    this.writing = undefined;
  }
}

/** Returns the drafts of the document that no other open tab is writing, newest first. */
export async function abandonedDrafts(place: DraftPlace): Promise<FoundDraft[]> {
  const stored = await readAll<SessionDraft & { at: string }>(`draft/${placeKey(place)}/`);
  const found = stored.map(([key, { at, ...draft }]) => ({
    key,
    sessionId: key.slice(key.lastIndexOf('/') + 1),
    draft,
    at,
  }));
  const live = await liveSessions(found.map(({ sessionId }) => sessionId));
  return found.filter(({ sessionId }) => !live.has(sessionId));
}

/** Stores a text that was replaced by another one, until it is dismissed. */
export async function keepText(place: DraftPlace, { title, content }: Texts): Promise<void> {
  const at = new Date().toISOString();
  await set(`kept/${placeKey(place)}/${at}`, { title, content, at });
}

export async function readKeptTexts(place: DraftPlace): Promise<KeptText[]> {
  const found = await readAll<Omit<KeptText, 'key'>>(`kept/${placeKey(place)}/`);
  return found.map(([key, text]) => ({ ...text, key }));
}

export async function dismissKept(key: string): Promise<void> {
  await remove(key);
}

async function remove(key: string): Promise<void> {
  removeStoredNow(key);
  await del(key);
}

/** Local storage is synchronous but holds only a few megabytes; longer drafts are left to IndexedDB. */
function storeNow(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    set(key, value).catch(() => undefined);
  }
}

function removeStoredNow(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // The browser may forbid storage.
  }
}

/** Returns what {@link storeNow} stored. */
function storedNow<Value>(prefix: string): [string, Value][] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key, JSON.parse(localStorage.getItem(key) ?? 'null') as Value]);
  } catch {
    return [];
  }
}

/** Newest first. Empty if the browser forbids storage. */
async function readAll<Value extends { at: string }>(prefix: string): Promise<[string, Value][]> {
  const stored = await entries<string, Value>().catch(() => []);
  const all = new Map(stored.filter(([key]) => key.startsWith(prefix)));
  for (const [key, value] of storedNow<Value>(prefix)) {
    if (value.at >= (all.get(key)?.at ?? '')) all.set(key, value);
  }
  return [...all].sort(([, { at: one }], [, { at: other }]) => other.localeCompare(one));
}
