import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import { dataOf, type V1Client } from '../../../api/client.js';
import { asFailure } from '../../../api/failure.js';
import { randomId } from '../../../random-id.js';
import type { Document } from '../document-types.js';
import { keepEnhancement } from '../margin/suggestions-key.js';
import {
  documentNotFound,
  DocumentSession,
  findInTrash,
  type Presence,
  type SessionServices,
} from './document-session.js';
import { abandonedDrafts, type FoundDraft } from './drafts.js';
import { addLive, removeLive } from './live-sessions.js';

/** Number of saved sessions to retain after their page was left, with caret and undo history. */
const MOST_LEFT = 5;
/** Storage key for the document that a session created, for Back after a reload. */
const CREATED_BY = 'document-created-by/';

const DOCUMENT_ID = /^doc_[0-9a-z]{26}$/;

const registries = new Map<string, DocumentSessions>();

interface Owner {
  userId: string;
  accountId: string;
  api: V1Client;
  queryClient: QueryClient;
}

/** The documents that a person has open in this tab, in one account. */
export class DocumentSessions {
  private readonly sessions = new Map<string, DocumentSession>();
  private readonly services: SessionServices;

  static of(owner: Owner): DocumentSessions {
    const key = `${owner.userId}/${owner.accountId}`;
    const known = registries.get(key) ?? new DocumentSessions(owner);
    registries.set(key, known);
    return known;
  }

  private constructor({ queryClient, ...owner }: Owner) {
    this.services = {
      ...owner,
      send: (request) => new MutationObserver(queryClient, { mutationFn: request }).mutate(),
      onListChange: () =>
        void queryClient.invalidateQueries({ queryKey: [owner.accountId, 'documents', 'list'] }),
      onEnhancement: (enhancement) => {
        keepEnhancement(queryClient, owner.accountId, enhancement);
      },
      onCreated: ({ id, documentId = '' }) => {
        sessionStorage.setItem(CREATED_BY + id, documentId);
      },
    };
    const all = (task: (session: DocumentSession) => void) => () => {
      for (const session of this.sessions.values()) task(session);
    };
    window.addEventListener(
      'online',
      all(({ autosave }) => void (autosave.isUnsaved && autosave.save())),
    );
    window.addEventListener(
      'pagehide',
      all((session) => {
        session.flushBeforeUnload();
      }),
    );
    window.addEventListener('beforeunload', (event) => {
      const isLost = [...this.sessions.values()].some((session) => {
        const { isUnsaved, storesDrafts } = session.snapshot();
        return isUnsaved && !storesDrafts;
      });
      if (isLost) event.preventDefault();
    });
  }

  get(sessionId: string): DocumentSession | undefined {
    return this.sessions.get(sessionId);
  }

  ofDocument(id: string): DocumentSession | undefined {
    const all = [...this.sessions.values()];
    return all.find(({ documentId, formerId }) => documentId === id || formerId === id);
  }

  /** Opens a document with its draft in this browser. Throws `documentNotFound` if neither exists. */
  async open(documentId: string): Promise<DocumentSession> {
    const { userId, accountId } = this.services;
    const [{ document, presence }, drafts] = await Promise.all([
      this.find(documentId),
      abandonedDrafts({ userId, accountId, documentId }),
    ]);
    const opened = this.ofDocument(documentId);
    if (opened) return opened;
    if (presence === 'gone' && drafts.length === 0) throw documentNotFound();
    const start = { id: randomId(), document, documentId, presence };
    return this.add(new DocumentSession(this.services, start), drafts);
  }

  /**
   * Opens a new document. `sessionId` is the session of the history entry, if it had one before a reload. Restores text
   * of an earlier visit that was never saved.
   */
  async openNew(sessionId: string | undefined, templateId: string | undefined) {
    const { userId, accountId } = this.services;
    const createdId = sessionId && sessionStorage.getItem(CREATED_BY + sessionId);
    if (createdId) return this.ofDocument(createdId) ?? this.open(createdId);
    const stuck = [...this.sessions.values()].find(isStuck);
    if (stuck) return stuck;
    const drafts = await abandonedDrafts({ userId, accountId, documentId: 'new' });
    const draft =
      drafts.find((found) => found.sessionId === sessionId) ??
      drafts.find((found) => found.draft.templateId === templateId);
    const opened = sessionId === undefined ? undefined : this.get(sessionId);
    if (opened) return opened;
    const id = draft?.sessionId ?? randomId();
    return this.add(new DocumentSession(this.services, { id }), draft ? [draft] : []);
  }

  /** Ends the session of a document that was deleted here. Its draft stays. */
  drop(session: DocumentSession): void {
    this.sessions.delete(session.id);
    removeLive(session.id);
    session.destroy();
  }

  private add(session: DocumentSession, drafts: readonly FoundDraft[]): DocumentSession {
    this.sessions.set(session.id, session);
    addLive(session.id);
    session.restore(drafts);
    const left = [...this.sessions.values()].filter(
      (one) => one !== session && !one.isOpen && !one.autosave.isUnsaved,
    );
    for (const old of left.slice(0, Math.max(0, left.length - MOST_LEFT))) this.drop(old);
    return session;
  }

  /** Loads the document, even if it is in the trash. */
  private async find(id: string): Promise<{ document: Document | undefined; presence: Presence }> {
    const { api } = this.services;
    if (!DOCUMENT_ID.test(id)) return { document: undefined, presence: 'gone' };
    try {
      const request = api.GET('/v1/documents/{id}', { params: { path: { id } } });
      return { document: await dataOf(request), presence: 'here' };
    } catch (error) {
      if (asFailure(error).status !== 404) throw error;
    }
    const document = await findInTrash(this.services, id);
    return { document, presence: document ? 'trash' : 'gone' };
  }
}

/** A new document that was left and cannot be saved, for example because the session expired. */
function isStuck({ isOpen, documentId, autosave }: DocumentSession): boolean {
  const { failure, retryAt } = autosave.state;
  return !isOpen && documentId === undefined && failure !== undefined && retryAt === undefined;
}
