import { asFailure, type Failure } from '../../../api/failure.js';
import { mergeTexts, sameTexts, type Snapshot, type Texts } from './merge.js';

/** Rest after the last keystroke before a version is made, in ms. */
export const REST = 5_000;
/** The longest that typing on puts a version off, in ms. */
export const AT_LATEST = 60_000;
/** Waits between attempts while the service is away, in ms; the last one stays. */
const RETRY_AFTER = [2_000, 4_000, 8_000, 15_000, 30_000];
/** Merges in a row before a save gives up for a while: somebody else writes faster. */
const MERGES_IN_A_ROW = 5;
/** Texts that were sent without an answer and are remembered. */
const UNANSWERED = 3;

/** Two people have changed the same place. */
export interface Conflict {
  base: Texts;
  yours: Texts;
  theirs: Snapshot;
}

export interface AutosaveState {
  status: 'Saved' | 'Saving…' | 'Not saved';
  /** Why it could not be saved. */
  failure?: Failure | undefined;
  conflict?: Conflict | undefined;
}

/** What is kept in the browser of a text that the service does not have yet. */
export interface Draft {
  base: Snapshot;
  yours: Texts;
  /** Texts that were sent and never answered: the service may have them. */
  sent: readonly Texts[];
}

/** The service and the browser, as far as saving needs them. */
export interface AutosavePorts<Doc extends Snapshot> {
  /** Changes the document if it is still at `version`. */
  save: (changes: Partial<Texts>, version: number) => Promise<Doc>;
  load: () => Promise<Doc>;
  /** Keeps the draft in the browser; undefined takes it away. */
  keepDraft: (draft: Draft | undefined) => void;
  /** Keeps a text that was given up, for History. */
  keepText: (texts: Texts) => void;
  /** A version of the document has come from the service. */
  onDocument: (document: Doc) => void;
  /** The text has changed and nobody has typed: an editor must show it. */
  onTexts: (texts: Texts) => void;
  /** Changes of somebody else are in the text now. */
  onMerged: (theirs: Doc) => void;
  onState: (state: AutosaveState) => void;
}

/**
 * Saves what is written: the draft at once in the browser, a version after a rest, and at the latest each minute. A change
 * that somebody else has made meanwhile is merged; where both changed the same place, the person decides.
 */
export class Autosave<Doc extends Snapshot> {
  yours: Texts;
  state: AutosaveState = { status: 'Saved' };
  private base: Snapshot;
  private sent: readonly Texts[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unsavedSince: number | undefined;
  private failures = 0;
  private last: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(
    document: Snapshot,
    private readonly ports: AutosavePorts<Doc>,
  ) {
    this.base = snapshotOf(document);
    this.yours = textsOf(document);
  }

  get version(): number {
    return this.base.version;
  }

  get isUnsaved(): boolean {
    return !sameTexts(this.yours, this.base);
  }

  /** Goes on with a draft of an earlier visit. `document` is what the service has now. */
  restore(draft: Draft, document: Doc): void {
    this.base = draft.base;
    this.yours = draft.yours;
    this.sent = draft.sent;
    this.takeIn(document);
    this.settle();
  }

  edit(change: Partial<Texts>): void {
    const yours = { ...this.yours, ...change };
    if (sameTexts(yours, this.yours)) return;
    this.yours = yours;
    this.settle();
  }

  /** Makes a version of what is written, now. Resolves when it is done or has failed, which the state says. */
  save(): Promise<void> {
    this.stopTimer();
    return this.inTurn(() => this.saveNow());
  }

  /**
   * Makes another change of the document, after the text is saved: of its status, or by applying suggestions. The answer
   * is taken in like a change of somebody else.
   */
  change(request: (version: number) => Promise<Doc>): Promise<void> {
    this.stopTimer();
    return this.inTurn(async () => {
      await this.saveNow();
      if (this.isUnsaved) {
        throw (
          this.state.failure ?? new Error('Your text is not saved yet. Save it, then try again.')
        );
      }
      this.accept(await this.requestOnce(request));
      this.settle();
    });
  }

  /** Asks again when somebody else has changed the document in between. */
  private async requestOnce(request: (version: number) => Promise<Doc>): Promise<Doc> {
    try {
      return await request(this.base.version);
    } catch (error) {
      if (asFailure(error).status !== 412) throw error;
      this.takeIn(await this.ports.load());
      return request(this.base.version);
    }
  }

  /** Shows a version that somebody else has made, unless it overlaps: then the next save asks. */
  hear(document: Doc): void {
    void this.inTurn(() => {
      if (document.version <= this.base.version || this.state.conflict) return;
      const merge = mergeTexts(this.base, this.yours, document);
      if (merge.overlaps.length > 0 || merge.titleOverlaps) return;
      this.takeIn(document);
      this.settle();
    });
  }

  /** Ends a conflict with the texts that the person has chosen. `keepYours` keeps what was written, for History. */
  resolve(texts: Texts, { keepYours }: { keepYours: boolean }): Promise<void> {
    const { conflict } = this.state;
    if (!conflict) return Promise.resolve();
    if (keepYours) this.ports.keepText(conflict.yours);
    this.base = snapshotOf(conflict.theirs);
    this.sent = [];
    this.show(texts);
    this.set({ status: this.isUnsaved ? 'Not saved' : 'Saved' });
    this.settle();
    return this.save();
  }

  /** Closes the conflict without a decision. The next save asks again. */
  postpone(): void {
    if (!this.state.conflict) return;
    this.set({ status: 'Not saved' });
  }

  /** Saves by itself again, after {@link leave}. */
  resume(): void {
    this.stopped = false;
  }

  /** Saves a last time, and then no more by itself. */
  leave(): void {
    const done = this.isUnsaved && !this.state.conflict ? this.save() : Promise.resolve();
    void done.then(() => {
      this.stopTimer();
    });
    this.stopped = true;
  }

  /** Says whether all is saved, keeps the draft, and plans the next save. */
  private settle(): void {
    if (!this.isUnsaved) {
      this.unsavedSince = undefined;
      this.sent = [];
      this.stopTimer();
      this.ports.keepDraft(undefined);
      this.set({ status: 'Saved' });
      return;
    }
    this.unsavedSince ??= Date.now();
    this.ports.keepDraft({ base: this.base, yours: this.yours, sent: this.sent });
    if (this.state.status === 'Saved') this.set({ status: 'Not saved' });
    if (this.state.conflict) return;
    const latest = this.state.failure ? REST : this.unsavedSince + AT_LATEST - Date.now();
    this.plan(Math.max(0, Math.min(REST, latest)));
  }

  private async saveNow(merges = MERGES_IN_A_ROW): Promise<void> {
    if (!this.isUnsaved || this.state.conflict) return;
    const sending = this.yours;
    this.set({ status: 'Saving…' });
    this.sent = [sending, ...this.sent].slice(0, UNANSWERED);
    this.ports.keepDraft({ base: this.base, yours: sending, sent: this.sent });
    try {
      const saved = await this.ports.save(changesOf(this.base, sending), this.base.version);
      this.failures = 0;
      this.base = snapshotOf(saved);
      this.sent = [];
      this.unsavedSince = undefined;
      this.ports.onDocument(saved);
    } catch (error) {
      const failure = asFailure(error);
      if (failure.status === 412 && merges > 0) {
        await this.reconcile(merges);
        return;
      }
      this.fail(failure);
      return;
    }
    this.set({ status: 'Saved' });
    // What was typed meanwhile is not saved.
    this.settle();
  }

  /** The document is at another version than ours: sees what it is now, and goes on from there. */
  private async reconcile(merges: number): Promise<void> {
    let current: Doc;
    try {
      current = await this.ports.load();
    } catch (error) {
      this.fail(asFailure(error));
      return;
    }
    this.takeIn(current);
    if (this.state.conflict) return;
    if (this.isUnsaved) await this.saveNow(merges - 1);
    else this.settle();
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
    const merge = mergeTexts(this.base, this.yours, document);
    if (merge.overlaps.length > 0 || merge.titleOverlaps) {
      const conflict = { base: this.base, yours: this.yours, theirs: snapshotOf(document) };
      this.ports.onDocument(document);
      this.set({ status: 'Not saved', conflict });
      return;
    }
    const changed = !sameTexts(merge.texts, this.yours);
    this.base = snapshotOf(document);
    this.sent = [];
    if (changed) this.show(merge.texts);
    this.ports.onDocument(document);
    if (changed) this.ports.onMerged(document);
  }

  /** Makes a version that comes from this page the base, with what was typed since. */
  private accept(document: Doc): void {
    const typed = mergeTexts(this.base, this.yours, document, 'yours').texts;
    const known = this.sent.some((texts) => sameTexts(texts, document));
    this.base = snapshotOf(document);
    this.sent = [];
    if (!known && !sameTexts(typed, this.yours)) this.show(typed);
    this.ports.onDocument(document);
  }

  private show(texts: Texts): void {
    this.yours = texts;
    this.ports.onTexts(texts);
  }

  private fail(failure: Failure): void {
    this.set({ status: 'Not saved', failure });
    if (this.stopped) return;
    if (failure.retryAfter !== undefined) this.plan(failure.retryAfter * 1_000);
    else if (failure.isAway || failure.status === 412) {
      this.plan(RETRY_AFTER[Math.min(this.failures, RETRY_AFTER.length - 1)] ?? REST);
    }
    this.failures += 1;
  }

  private plan(delay: number): void {
    this.stopTimer();
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.save(), delay);
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
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

function textsOf({ title, content }: Texts): Texts {
  return { title, content };
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
