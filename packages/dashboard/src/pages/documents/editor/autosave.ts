import { asFailure, Failure } from '../../../api/failure.js';
import { mergeTexts, sameTexts, type Snapshot, type Texts } from './merge.js';
import { shownTexts, storedTexts, UNTITLED } from './untitled.js';

/** Pause after the last keystroke before the text is saved, in ms. Each save is a version, an event and a delivery. */
export const REST = 5_000;
/** The same pause before a document is created. */
export const CREATE_REST = 2_000;
/** The same pause after a change of tags, metadata and other details. */
export const DETAILS_REST = 1_000;
/** The longest that continuous typing delays a save, in ms. */
export const AT_LATEST = 60_000;
/** Waits between attempts that may succeed later, in ms; the last one repeats. */
const RETRY_AFTER = [2_000, 4_000, 8_000, 15_000, 30_000];
/** Wait after a 429 that names no time, in ms. */
const RATE_LIMIT_WAIT = 10_000;
/** Merges in a row before a save gives up for a while: somebody else writes faster. */
const MERGES_IN_A_ROW = 5;
/** How many texts that were sent without an answer are remembered. */
const UNANSWERED = 3;
/** Statuses below 500 after which the same request may succeed later. 409 means that it is still being processed. */
const TEMPORARY = new Set([0, 408, 409, 412, 425, 429]);

/** The base of a document that does not exist yet. */
export const NOTHING: Snapshot = { title: UNTITLED, content: '', version: 0 };

/** Two people have changed the same place. */
export interface Conflict {
  base: Texts;
  yours: Texts;
  theirs: Snapshot;
}

export interface AutosaveState {
  /** `New` until something of a new document is saved, or waits to be. */
  status: 'New' | 'Saved' | 'Saving…' | 'Not saved';
  /** Why it could not be saved. */
  failure?: Failure | undefined;
  /** When the next attempt is made, in ms since 1970. */
  retryAt?: number | undefined;
  conflict?: Conflict | undefined;
}

/** The part of a draft that {@link Autosave} needs: text that the service does not have yet. */
export interface Draft {
  base: Snapshot;
  yours: Texts;
  /** Texts that were sent and never answered: the service may have them. */
  sent: readonly Texts[];
}

/** Edits of everything but the text. */
export interface DetailsPort<Doc> {
  /** True while some edit is not stored, including those that cannot be sent as they are. */
  isUnsaved: () => boolean;
  /** True if there is something to send that has not been refused. */
  canSend: () => boolean;
  /** True if a new document should be created for these edits alone. */
  needDocument: () => boolean;
  /** Why some edits are not stored. */
  failure: () => Failure | undefined;
  /** Sends the edits, if the document is still at `version`. */
  send: (version: number) => Promise<Doc>;
}

/** What {@link Autosave} needs of the service and the browser. */
export interface AutosavePorts<Doc extends Snapshot> {
  /** Creates the document. Returns it with the texts the request held: a retry repeats an earlier request. */
  create: (texts: Texts) => Promise<{ document: Doc; sent: Texts }>;
  /** Changes the document if it is still at `version`. */
  save: (changes: Partial<Texts>, version: number) => Promise<Doc>;
  load: () => Promise<Doc>;
  details: DetailsPort<Doc>;
  /** True while nothing is saved automatically. */
  isPaused: () => boolean;
  /** Stores the draft in the browser; undefined removes it. */
  keepDraft: (draft: Draft | undefined) => void;
  /** Stores a text that was replaced by another one, for History. */
  keepText: (texts: Texts) => void;
  /** Called with every version of the document that arrives. */
  onDocument: (document: Doc) => void;
  /** Called when the text changed without typing: an editor must show it. */
  onTexts: (texts: Texts) => void;
  /** Called when changes of somebody else were merged into the text. */
  onMerged: (theirs: Doc) => void;
  /** Called when the service has no such document. */
  onMissing: () => void;
  onState: (state: AutosaveState) => void;
}

/**
 * Saves a document while it is being written: a draft in the browser at once, a version after a pause. Creating the
 * document is its first save. Changes of other people are merged; where both changed the same place, the person decides.
 */
export class Autosave<Doc extends Snapshot> {
  /** The text in the fields. A blank title is stored as "Untitled document". */
  yours: Texts;
  state: AutosaveState;
  private base: Snapshot;
  private sent: readonly Texts[] = [];
  private conflict: Conflict | undefined;
  private failure: Failure | undefined;
  private retryAt: number | undefined;
  private attempts = 0;
  private isSaving = false;
  private isCreateWanted = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unsavedSince: number | undefined;
  private textDue: number | undefined;
  private detailsDue: number | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    document: Snapshot,
    private readonly ports: AutosavePorts<Doc>,
  ) {
    this.base = snapshotOf(document);
    this.yours = shownTexts(document);
    this.state = { status: this.isNew ? 'New' : 'Saved' };
  }

  get isNew(): boolean {
    return this.base.version === 0;
  }

  get isUnsaved(): boolean {
    return this.hasUnsavedText || this.ports.details.isUnsaved();
  }

  private get hasUnsavedText(): boolean {
    return (this.isNew && this.isCreateWanted) || !sameTexts(storedTexts(this.yours), this.base);
  }

  /** True if something of a new document is worth creating it. A language alone is not. */
  private get needsDocument(): boolean {
    return this.hasUnsavedText || this.ports.details.needDocument();
  }

  /** Continues a draft of an earlier visit. `document` is what the service has now, if it has one. */
  restore(draft: Draft, document: Doc | undefined): void {
    this.base = draft.base;
    this.yours = draft.yours;
    this.sent = draft.sent;
    if (document) this.takeIn(document);
    this.textDue = Date.now() + this.rest;
    this.settle();
  }

  edit(change: Partial<Texts>): void {
    const yours = { ...this.yours, ...change };
    if (sameTexts(yours, this.yours)) return;
    this.yours = yours;
    const latest = (this.unsavedSince ?? Date.now()) + AT_LATEST;
    this.textDue = Math.min(Date.now() + this.rest, latest);
    this.settle();
  }

  /** Saves the details soon, which the caller has changed. */
  editDetails(): void {
    this.detailsDue = Date.now() + DETAILS_REST;
    this.settle();
  }

  /** Saves now. Resolves when it is done or has failed, which the state says. */
  save(): Promise<void> {
    return this.inTurn(async () => {
      this.failure = undefined;
      await this.saveNow();
    });
  }

  /** Creates the document even if nothing was typed. */
  create(): Promise<void> {
    this.isCreateWanted = true;
    return this.save();
  }

  /** Saves now what waits for a pause, unless saving is paused or the service asked to wait. */
  flush(): void {
    const isWaiting = this.textDue !== undefined || this.detailsDue !== undefined;
    if (isWaiting && this.retryAt === undefined && !this.isHeld) void this.save();
  }

  /** Continues as the text of a new document: the one it was of is gone. */
  becomeNew(): void {
    this.base = NOTHING;
    this.sent = [];
    this.conflict = undefined;
    this.failure = undefined;
    this.settle();
  }

  /** Stops saving automatically. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /**
   * Makes another change of the document once the text is saved: of its status, or by applying suggestions. What is typed
   * meanwhile is merged with the answer. Throws the failure if the text cannot be saved.
   */
  change(request: (version: number) => Promise<Doc>): Promise<void> {
    return this.inTurn(async () => {
      const failure = await this.saveNow();
      if (failure) throw failure;
      try {
        this.accept(await this.requestOnce(request));
      } catch (error) {
        if (asFailure(error).status === 404) this.ports.onMissing();
        throw error;
      } finally {
        this.settle();
      }
    });
  }

  /** Asks again when somebody else has changed the document in between. */
  private async requestOnce(request: (version: number) => Promise<Doc>): Promise<Doc> {
    try {
      return await request(this.base.version);
    } catch (error) {
      if (asFailure(error).status !== 412) throw error;
      this.takeIn(await this.ports.load());
      if (this.conflict) throw conflictFailure();
      return request(this.base.version);
    }
  }

  /** Takes in a version that the service has, unless it overlaps with unsaved text: then the next save asks. */
  hear(document: Doc): Promise<void> {
    return this.inTurn(() => {
      if (document.version <= this.base.version || this.conflict) return;
      const merge = mergeTexts(this.base, storedTexts(this.yours), document);
      if (merge.overlaps.length > 0 || merge.titleOverlaps) return;
      this.takeIn(document);
      this.settle();
    });
  }

  /** Ends a conflict with the texts that the person has chosen. `keepYours` keeps what was written, for History. */
  resolve(texts: Texts, { keepYours }: { keepYours: boolean }): Promise<void> {
    const { conflict } = this;
    if (!conflict) return Promise.resolve();
    if (keepYours) this.ports.keepText(conflict.yours);
    this.base = snapshotOf(conflict.theirs);
    this.sent = [];
    this.conflict = undefined;
    this.show(texts);
    this.settle();
    return this.save();
  }

  /** Closes the conflict without a decision. The next save asks again. */
  postpone(): void {
    if (!this.conflict) return;
    this.conflict = undefined;
    this.failure = conflictFailure();
    this.settle();
  }

  /** Stores the draft, publishes the state, and plans the next save. */
  settle(): void {
    if (this.isUnsaved) {
      this.unsavedSince ??= Date.now();
      this.ports.keepDraft({ base: this.base, yours: this.yours, sent: this.sent });
    } else {
      this.unsavedSince = undefined;
      this.textDue = undefined;
      this.detailsDue = undefined;
      this.retryAt = undefined;
      this.failure = undefined;
      this.sent = [];
      this.ports.keepDraft(undefined);
    }
    this.publish();
    this.plan();
  }

  private get rest(): number {
    return this.isNew ? CREATE_REST : REST;
  }

  private get isHeld(): boolean {
    return this.conflict !== undefined || (this.ports.isPaused() && !this.isCreateWanted);
  }

  private hasConflict(): boolean {
    return this.conflict !== undefined;
  }

  /** Returns why the text is not saved; undefined if all that had been typed is. */
  private async saveNow(): Promise<Failure | undefined> {
    if (this.hasConflict()) return conflictFailure();
    const { details } = this.ports;
    const sendsText = this.isNew ? this.needsDocument : this.hasUnsavedText;
    if (!sendsText && (this.isNew || !details.canSend())) {
      this.textDue = undefined;
      this.detailsDue = undefined;
      this.settle();
      return undefined;
    }
    this.isSaving = true;
    this.retryAt = undefined;
    this.detailsDue = undefined;
    const sending = this.yours;
    this.publish();
    const textFailure = sendsText ? await this.attempt(() => this.saveText()) : undefined;
    const mayContinue = !this.hasConflict() && !(textFailure && isTemporary(textFailure));
    const detailsFailure = mayContinue ? await this.attempt(() => this.saveDetails()) : undefined;
    this.isSaving = false;
    this.finish(textFailure ?? detailsFailure, sending);
    return this.hasConflict() ? conflictFailure() : textFailure;
  }

  /** Plans what follows a save of `sending`. */
  private finish(failure: Failure | undefined, sending: Texts): void {
    // What was refused is not repeated until something else is typed.
    const isPending = failure ? this.yours !== sending : this.hasUnsavedText;
    this.textDue = isPending ? Date.now() + this.rest : undefined;
    this.unsavedSince = undefined;
    if (failure && !this.hasConflict()) this.fail(failure);
    else {
      this.failure = undefined;
      this.attempts = 0;
    }
    this.settle();
  }

  /** Returns why it failed. A change of somebody else is taken in, and it is tried again. */
  private async attempt(send: () => Promise<void>): Promise<Failure | undefined> {
    for (let merges = MERGES_IN_A_ROW; ; merges -= 1) {
      try {
        await send();
        return undefined;
      } catch (error) {
        const failure = asFailure(error);
        if (failure.status !== 412 || merges === 0) return failure;
      }
      try {
        this.takeIn(await this.ports.load());
      } catch (error) {
        return asFailure(error);
      }
      if (this.conflict) return undefined;
    }
  }

  private async saveText(): Promise<void> {
    const sending = storedTexts(this.yours);
    if (this.isNew) {
      const { document, sent } = await this.ports.create(sending);
      this.isCreateWanted = false;
      this.base = { ...sent, version: 0 };
      this.accept(document);
      return;
    }
    if (sameTexts(sending, this.base)) return;
    this.sent = [sending, ...this.sent].slice(0, UNANSWERED);
    this.ports.keepDraft({ base: this.base, yours: this.yours, sent: this.sent });
    const saved = await this.ports.save(changesOf(this.base, sending), this.base.version);
    this.base = snapshotOf(saved);
    this.sent = [];
    this.ports.onDocument(saved);
  }

  private async saveDetails(): Promise<void> {
    if (this.isNew || !this.ports.details.canSend()) return;
    this.accept(await this.ports.details.send(this.base.version));
  }

  /** Makes `document` the base of what is written, by a merge unless its text is one that we have sent ourselves. */
  private takeIn(document: Doc): void {
    if (document.version === this.base.version) {
      this.ports.onDocument(document);
      return;
    }
    if (this.sent.some((texts) => sameTexts(texts, document)) || sameTexts(this.base, document)) {
      this.accept(document);
      return;
    }
    const yours = storedTexts(this.yours);
    const merge = mergeTexts(this.base, yours, document);
    if (merge.overlaps.length > 0 || merge.titleOverlaps) {
      this.conflict = { base: this.base, yours, theirs: snapshotOf(document) };
      this.ports.onDocument(document);
      return;
    }
    const changed = !sameTexts(merge.texts, yours);
    this.base = snapshotOf(document);
    this.sent = [];
    if (changed) this.show(merge.texts);
    this.ports.onDocument(document);
    if (changed) this.ports.onMerged(document);
  }

  /** Makes a version that comes from this page the base, with what was typed since. */
  private accept(document: Doc): void {
    const yours = storedTexts(this.yours);
    const typed = mergeTexts(this.base, yours, document, 'yours', { byWords: true }).texts;
    const known = this.sent.some((texts) => sameTexts(texts, document));
    this.base = snapshotOf(document);
    this.sent = [];
    if (!known && !sameTexts(typed, yours)) this.show(typed);
    this.ports.onDocument(document);
  }

  private show(texts: Texts): void {
    const isSameTitle = storedTexts(this.yours).title === texts.title;
    const { title, content } = shownTexts(texts);
    this.yours = { title: isSameTitle ? this.yours.title : title, content };
    this.ports.onTexts(this.yours);
  }

  private fail(failure: Failure): void {
    this.failure = failure;
    if (failure.status === 404) this.ports.onMissing();
    if (!isTemporary(failure)) return;
    const asked = failure.retryAfter === undefined ? undefined : failure.retryAfter * 1_000;
    const backoff = RETRY_AFTER[Math.min(this.attempts, RETRY_AFTER.length - 1)] ?? REST;
    const delay = asked ?? (failure.status === 429 ? RATE_LIMIT_WAIT : backoff);
    this.retryAt = Date.now() + delay;
    this.attempts += 1;
  }

  /** Sets the timer of the next save. */
  private plan(): void {
    clearTimeout(this.timer);
    const due = this.retryAt ?? Math.min(this.textDue ?? Infinity, this.detailsDue ?? Infinity);
    if (this.isHeld || this.isSaving || due === Infinity) return;
    this.timer = setTimeout(
      () => void this.inTurn(() => this.saveNow()),
      Math.max(0, due - Date.now()),
    );
  }

  private publish(): void {
    const { retryAt, conflict } = this;
    const failure = this.failure ?? this.ports.details.failure();
    const hasFailed = this.isUnsaved && failure !== undefined;
    if (conflict) this.set({ status: 'Not saved', conflict });
    else if (hasFailed) this.set({ status: 'Not saved', failure, retryAt });
    else if (this.isSaving) this.set({ status: 'Saving…' });
    else if (this.isNew && !this.needsDocument) this.set({ status: 'New' });
    else if (this.isUnsaved && !this.isHeld) this.set({ status: 'Saving…' });
    else this.set({ status: this.isNew ? 'New' : this.isUnsaved ? 'Not saved' : 'Saved' });
  }

  private set(state: AutosaveState): void {
    this.state = state;
    this.ports.onState(state);
  }

  /** One request at a time, so that each names the version that the one before has made. */
  private inTurn<Result>(task: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.last.then(task);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

function isTemporary({ status }: Failure): boolean {
  return TEMPORARY.has(status) || status >= 500;
}

function conflictFailure(): Failure {
  return new Failure('Someone else changed the same passage. Choose which text to keep.', 409, {
    details: { code: 'CONFLICT' },
  });
}

function snapshotOf({ title, content, version }: Snapshot): Snapshot {
  return { title, content, version };
}

function changesOf(base: Texts, yours: Texts): Partial<Texts> {
  return {
    ...(yours.title !== base.title && { title: yours.title }),
    ...(yours.content !== base.content && { content: yours.content }),
  };
}
