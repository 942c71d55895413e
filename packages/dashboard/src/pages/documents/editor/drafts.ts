import { del, entries, set } from 'idb-keyval';
import type { Draft } from './autosave.js';
import type { Creation } from './creation.js';
import type { DetailsDraft } from './details.js';
import { liveSessions } from './live-sessions.js';
import type { Texts } from './texts.js';

/** Whose drafts, and of which document. A browser may have several people, each with several accounts. */
export interface DraftPlace {
  userId: string;
  accountId: string;
  /** `new` before there is one. */
  documentId: string;
}

/** Everything of a document that the service does not have yet. */
export interface SessionDraft extends Draft {
  details?: DetailsDraft | undefined;
  /** The request that creates the document, once it was sent. */
  creation?: Creation | undefined;
  /** The template of a new document, and the values of its variables. */
  templateId?: string | undefined;
  values?: Readonly<Record<string, string>> | undefined;
}

export interface FoundDraft {
  key: string;
  /** Id of the session that wrote it. */
  sessionId: string;
  draft: SessionDraft;
  at: string;
}

/** The person's text that another text replaced. */
export interface KeptText extends Texts {
  key: string;
  at: string;
}

/** Longer drafts are stored between keystrokes, because copying one takes longer than showing a letter. */
const LONG = 100_000;
/** Pause before a long draft is stored, in ms, and the longest wait for an idle moment after it. */
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
 * Stores the newest draft of a session in IndexedDB, under the document and the version it began from. Its key holds the
 * id of the session: two tabs must not write over each other's draft.
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

  /** `found` are the keys of drafts that this one continues. */
  replaces(found: readonly string[]): void {
    for (const key of found) this.written.add(key);
  }

  /** Stores the next draft under another document, and then removes the one before. */
  moveTo(place: DraftPlace): void {
    this.place = place;
  }

  /** Resolves when this draft, or a newer one, is stored. Undefined removes it. */
  keep(draft: SessionDraft | undefined): Promise<void> {
    this.wanted = draft;
    this.writing ??= this.ready().then(() => this.write());
    return this.writing;
  }

  /** Stores the newest draft without waiting for an earlier one, because the page is being left. */
  keepNow(): void {
    const { wanted, writing } = this;
    if (writing && wanted) this.store(wanted).catch(() => undefined);
  }

  /** Stores the draft. Returns its key. */
  private async store(draft: SessionDraft): Promise<string> {
    const key = `draft/${placeKey(this.place)}/${String(draft.base.version)}/${this.sessionId}`;
    await set(key, { ...draft, at: new Date().toISOString() });
    return key;
  }

  private async ready(): Promise<void> {
    if ((this.wanted?.yours.content.length ?? 0) > LONG) await betweenKeys();
  }

  /** Writes until the newest draft is written; drafts that came meanwhile are skipped. */
  private async write(): Promise<void> {
    let done: SessionDraft | undefined | null = null;
    while (done !== this.wanted) {
      if (done !== null) await this.ready();
      done = this.wanted;
      try {
        const key = done && (await this.store(done));
        for (const old of this.written) if (old !== key) await del(old);
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

/** Returns the drafts of the document that no other open tab is writing, the newest first. */
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
