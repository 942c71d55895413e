import type { Range } from '@document-service/text-merge/merge-text';
import { asFailure, type Failure } from '../../../api/failure.js';
import {
  compareText,
  mergeVersion,
  moveConflicts,
  type Conflict,
  type OpenConflict,
  type TitleConflict,
} from './conflicts.js';
import {
  sameTexts,
  shownTexts,
  storedTexts,
  UNTITLED,
  type Snapshot,
  type Texts,
} from './texts.js';

/** Pause after the last keystroke before the text is saved, in ms. Each save is a version, an event and a delivery. */
export const REST = 5_000;
/** Pause before a document is created. */
const CREATE_REST = 2_000;
/** Pause after a change of tags, metadata and other details. */
const DETAILS_REST = 1_000;
/** Maximum time that continuous typing delays a save, in ms. */
const AT_LATEST = 60_000;
/** Waiting times between attempts, in ms. The last one repeats. */
const RETRY_AFTER = [2_000, 4_000, 8_000, 15_000, 30_000];
/** Waiting time after a 429 without `Retry-After`, in ms. */
const RATE_LIMIT_WAIT = 10_000;
/** Consecutive merges before a save pauses, because somebody else writes faster. */
const MERGES_IN_A_ROW = 5;
/** Number of sent texts without a response to remember. */
const MAX_UNACKNOWLEDGED = 3;
/** Statuses below 500 after which a retry may succeed. 409 means that the first request is still being processed. */
const TEMPORARY = new Set([0, 408, 409, 412, 425, 429]);

/** Base of a document that does not exist yet. */
export const NOTHING: Snapshot = { title: UNTITLED, content: '', version: 0 };

export interface AutosaveState {
  /** `New` until a part of a new document is saved or waits to be saved. */
  status: 'New' | 'Saved' | 'Saving…' | 'Not saved';
  /** Why saving failed. */
  failure?: Failure | undefined;
  /** Time of the next attempt, in ms since 1970. */
  retryAt?: number | undefined;
  /** Passages that somebody else also changed, in text order. Everything else is saved. */
  conflicts: readonly OpenConflict[];
  titleConflict?: TitleConflict | undefined;
}

/** Texts of a request. */
interface SentTexts extends Texts {
  /** Ranges of the other side's words in the text, by ID of the conflict. */
  theirs?: Readonly<Record<string, Range>> | undefined;
}

/** The part of a draft that {@link Autosave} needs: text that is not saved yet. */
export interface Draft {
  base: Snapshot;
  yours: Texts;
  /** Texts that were sent without a response. The service may have them. */
  sent: readonly SentTexts[];
  conflicts?: readonly Conflict[] | undefined;
  titleConflict?: TitleConflict | undefined;
}

/** Edits of all fields except the text. */
export interface DetailsPort<Doc> {
  /** True while an edit is not stored, including edits that cannot be sent. */
  isUnsaved: () => boolean;
  /** True if there are edits to send that were not rejected. */
  canSend: () => boolean;
  /** True if these edits alone are worth creating a document. */
  needDocument: () => boolean;
  /** Why some edits are not stored. */
  failure: () => Failure | undefined;
  /** Sends the edits if the document is still at `version`. */
  send: (version: number) => Promise<Doc>;
}

interface Comparison {
  texts: Texts;
  open: readonly OpenConflict[];
  /** Ranges of the other side's words in the texts to save, for open conflicts. */
  theirs: Readonly<Record<string, Range>>;
}

/** What {@link Autosave} needs from the service and the browser. */
export interface AutosavePorts<Doc extends Snapshot> {
  /** Creates the document. Returns it with the texts of the request, because a retry repeats an earlier request. */
  create: (texts: Texts) => Promise<{ document: Doc; sent: Texts }>;
  /** Changes the document if it is still at `version`. */
  save: (changes: Partial<Texts>, version: number) => Promise<Doc>;
  load: () => Promise<Doc>;
  details: DetailsPort<Doc>;
  /** True while automatic saving is off. */
  isPaused: () => boolean;
  /** True while edits must not reach the document, because they are a suggestion. */
  isSuggestion: () => boolean;
  /** Stores the draft in the browser, or removes it if undefined. */
  keepDraft: (draft: Draft | undefined) => void;
  /** Returns the author of this version. */
  authorOf: (document: Doc) => string | undefined;
  /** Called with each version of the document that the service returns. */
  onDocument: (document: Doc) => void;
  /**
   * Called when the text changed without typing, so that the editor shows it. `by` is set if somebody else changed it.
   */
  onTexts: (texts: Texts, by?: ChangeOfOthers) => void;
  /** Called if the document does not exist. */
  onMissing: () => void;
  onState: (state: AutosaveState) => void;
}

/** A change by somebody else while the text was open. */
export interface ChangeOfOthers {
  name: string | undefined;
  /** Number of changed passages in the visible text. */
  passages: number;
}

/**
 * Saves a document while it is edited: a draft in the browser immediately, and a version after a pause. The first save
 * creates the document. Changes of others are merged. Where both sides changed the same words, theirs are saved, and
 * yours stay in the text until the person decides.
 */
export class Autosave<Doc extends Snapshot> {
  /** The text in the fields. A blank title is stored as "Untitled document". */
  yours: Texts;
  state: AutosaveState;
  private base: Snapshot;
  private sent: readonly SentTexts[] = [];
  private conflicts: readonly Conflict[] = [];
  private titleConflict: TitleConflict | undefined;
  private compared: (Comparison & { by: readonly unknown[] }) | undefined;
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
    this.state = { status: this.isNew ? 'New' : 'Saved', conflicts: [] };
  }

  get isNew(): boolean {
    return this.base.version === 0;
  }

  get isUnsaved(): boolean {
    return this.hasUnsavedText || this.hasConflicts || this.ports.details.isUnsaved();
  }

  private get hasUnsavedText(): boolean {
    return (this.isNew && this.isCreateWanted) || !sameTexts(this.comparison.texts, this.base);
  }

  private get hasConflicts(): boolean {
    return this.titleConflict !== undefined || this.comparison.open.length > 0;
  }

  /** What to save, and the open conflicts. Computed once per state of the text. */
  private get comparison(): Comparison {
    const { base, yours, conflicts, titleConflict } = this;
    const by = [base, yours, conflicts, titleConflict];
    if (!this.compared?.by.every((part, index) => part === by[index])) {
      const { title, content } = storedTexts(yours);
      const text = compareText(base.content, content, conflicts);
      const texts = { title: titleConflict ? base.title : title, content: text.content };
      const theirs = Object.fromEntries(text.open.map(({ id }, index) => [id, text.saved[index]]));
      this.compared = { by, texts, open: text.open, theirs: theirs as Comparison['theirs'] };
    }
    return this.compared;
  }

  /** True if a new document is worth creating. A language alone is not. */
  private get needsDocument(): boolean {
    return this.hasUnsavedText || this.ports.details.needDocument();
  }

  /** Continues a draft of an earlier visit. `document` is the current state in the service, if it exists. */
  restore(draft: Draft, document: Doc | undefined): void {
    this.base = draft.base;
    this.yours = draft.yours;
    this.sent = draft.sent;
    this.conflicts = draft.conflicts ?? [];
    this.titleConflict = draft.titleConflict;
    if (document) this.takeIn(document);
    this.textDue = Date.now() + this.rest;
    this.settle();
  }

  edit(change: Partial<Texts>): void {
    const yours = { ...this.yours, ...change };
    if (sameTexts(yours, this.yours)) return;
    this.conflicts = moveConflicts(this.conflicts, this.yours.content, yours.content);
    this.yours = yours;
    const latest = (this.unsavedSince ?? Date.now()) + AT_LATEST;
    this.textDue = Math.min(Date.now() + this.rest, latest);
    this.settle();
  }

  /** Saves the details soon, after the caller changed them. */
  editDetails(): void {
    this.detailsDue = Date.now() + DETAILS_REST;
    this.settle();
  }

  /** Saves now. Resolves when saving has ended; the state says whether it succeeded. */
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

  /** Saves pending changes now, unless saving is paused or the service asked to wait. */
  flush(): void {
    const isWaiting = this.textDue !== undefined || this.detailsDue !== undefined;
    if (isWaiting && this.retryAt === undefined && !this.isHeld) void this.save();
  }

  /** Continues as a new document with the same text, because the previous one is deleted. */
  becomeNew(): void {
    this.base = NOTHING;
    this.sent = [];
    this.conflicts = [];
    this.titleConflict = undefined;
    this.failure = undefined;
    this.settle();
  }

  /** Drops everything that is not saved. */
  discard(): void {
    this.conflicts = [];
    this.titleConflict = undefined;
    this.show(this.base);
    this.settle();
  }

  /** Stops automatic saving. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /**
   * Saves the text, then runs another change of the document, such as of its status. Merges the response with what is
   * typed in the meantime. Throws if the text cannot be saved.
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

  /** Retries if somebody else changed the document in between. */
  private async requestOnce(request: (version: number) => Promise<Doc>): Promise<Doc> {
    try {
      return await request(this.base.version);
    } catch (error) {
      if (asFailure(error).status !== 412) throw error;
      this.takeIn(await this.ports.load());
      return request(this.base.version);
    }
  }

  /** Merges a version of the service. Publishing changes a document without a new version. */
  hear(document: Doc): Promise<void> {
    return this.inTurn(() => {
      if (document.version < this.base.version) return;
      this.takeIn(document);
      this.settle();
    });
  }

  /** Resolves conflicts: your words in them are saved. */
  endConflicts(ids: readonly string[]): void {
    this.conflicts = this.comparison.open.filter(({ id }) => !ids.includes(id));
    this.saveSoon();
  }

  endTitleConflict(): void {
    this.titleConflict = undefined;
    this.saveSoon();
  }

  /** Stores the draft, publishes the state, and schedules the next save. */
  settle(): void {
    const { open } = this.comparison;
    if (open.length < this.conflicts.length) this.conflicts = open;
    if (this.isUnsaved) {
      this.unsavedSince ??= Date.now();
      this.ports.keepDraft(this.draft);
    }
    if (!this.hasUnsavedText && !this.ports.details.isUnsaved()) {
      this.unsavedSince = undefined;
      this.textDue = undefined;
      this.detailsDue = undefined;
      this.retryAt = undefined;
      this.failure = undefined;
      this.sent = [];
    }
    if (!this.isUnsaved) this.ports.keepDraft(undefined);
    this.publish();
    this.plan();
  }

  private get rest(): number {
    return this.isNew ? CREATE_REST : REST;
  }

  private get isHeld(): boolean {
    return this.ports.isPaused() && !this.isCreateWanted;
  }

  private saveSoon(): void {
    this.textDue = Date.now() + this.rest;
    this.settle();
  }

  /** Returns why the text is not saved; undefined if everything typed so far is saved. */
  private async saveNow(): Promise<Failure | undefined> {
    const { details, isSuggestion } = this.ports;
    if (isSuggestion()) return undefined;
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
    const mayContinue = !(textFailure && isTemporary(textFailure));
    const detailsFailure = mayContinue ? await this.attempt(() => this.saveDetails()) : undefined;
    this.isSaving = false;
    this.finish(textFailure ?? detailsFailure, sending);
    return textFailure;
  }

  /** Schedules the next step after a save of `sending`. */
  private finish(failure: Failure | undefined, sending: Texts): void {
    // Does not repeat a rejected request until something changes.
    const isPending = failure ? this.yours !== sending : this.hasUnsavedText;
    this.textDue = isPending ? Date.now() + this.rest : undefined;
    this.unsavedSince = undefined;
    if (failure) this.fail(failure);
    else {
      this.failure = undefined;
      this.attempts = 0;
    }
    this.settle();
  }

  /** Returns why saving failed. Merges a change of somebody else and schedules another attempt. */
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
    }
  }

  private async saveText(): Promise<void> {
    const { texts, theirs } = this.comparison;
    const sending: SentTexts = { ...texts, theirs };
    if (this.isNew) {
      const { document, sent } = await this.ports.create(texts);
      this.isCreateWanted = false;
      this.base = { ...sent, version: 0 };
      this.accept(document);
      return;
    }
    if (sameTexts(sending, this.base)) return;
    this.sent = [sending, ...this.sent].slice(0, MAX_UNACKNOWLEDGED);
    this.ports.keepDraft(this.draft);
    const saved = await this.ports.save(changesOf(this.base, sending), this.base.version);
    this.rebase(saved, sending);
    this.ports.onDocument(saved);
  }

  private async saveDetails(): Promise<void> {
    if (this.isNew || !this.ports.details.canSend()) return;
    this.accept(await this.ports.details.send(this.base.version));
  }

  /** Makes `document` the new base, with a merge unless its text is one that this page sent. */
  private takeIn(document: Doc): void {
    if (document.version === this.base.version) {
      this.ports.onDocument(document);
      return;
    }
    if (this.sent.some((texts) => sameTexts(texts, document)) || sameTexts(this.base, document)) {
      this.accept(document);
      return;
    }
    const by = this.ports.authorOf(document);
    const merge = this.merge(document, by);
    this.conflicts = merge.conflicts;
    if (document.title === storedTexts(this.yours).title) this.titleConflict = undefined;
    else if (merge.titleOverlaps) this.titleConflict = { theirs: document.title, by };
    const passages = merge.edits.length + (merge.takesTitle ? 1 : 0);
    if (passages > 0) this.show(merge.texts, { name: by, passages });
    this.ports.onDocument(document);
  }

  /** Makes a version of this page the base and keeps what was typed since. */
  private accept(document: Doc): void {
    const sent = this.sent.find((texts) => sameTexts(texts, document));
    if (sent) this.rebase(document, sent);
    else {
      const known = new Set(this.conflicts.map(({ id }) => id));
      const merge = this.merge(document, undefined);
      this.conflicts = merge.conflicts.filter(({ id }) => known.has(id));
      if (merge.edits.length > 0 || merge.takesTitle) this.show(merge.texts);
    }
    this.ports.onDocument(document);
  }

  /**
   * Makes the document the base. Returns your text merged with it; your words win where both sides changed the same.
   */
  private merge(document: Doc, by: string | undefined) {
    const { base, conflicts } = this;
    const yours = storedTexts(this.yours);
    const merge = mergeVersion(base.content, yours.content, document.content, { conflicts, by });
    const isTitleNew = document.title !== base.title && document.title !== yours.title;
    const takesTitle = isTitleNew && yours.title === base.title;
    this.base = snapshotOf(document);
    this.sent = [];
    return {
      texts: { title: takesTitle ? document.title : yours.title, content: merge.text },
      edits: merge.edits,
      conflicts: merge.conflicts,
      takesTitle,
      titleOverlaps: isTitleNew && !takesTitle,
    };
  }

  /** Makes a version the base that equals what was sent. */
  private rebase(document: Doc, { theirs = {} }: SentTexts): void {
    this.base = snapshotOf(document);
    this.sent = [];
    this.conflicts = this.conflicts.flatMap((conflict) => {
      const base = theirs[conflict.id];
      return base ? [{ ...conflict, base }] : [];
    });
  }

  private get draft(): Draft {
    const { base, yours, sent, titleConflict } = this;
    return { base, yours, sent, conflicts: this.comparison.open, titleConflict };
  }

  private show(texts: Texts, by?: ChangeOfOthers): void {
    const isSameTitle = storedTexts(this.yours).title === texts.title;
    const { title, content } = shownTexts(texts);
    this.yours = { title: isSameTitle ? this.yours.title : title, content };
    this.ports.onTexts(this.yours, by);
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
    const { retryAt } = this;
    const failure = this.failure ?? this.ports.details.failure();
    const isPending = this.hasUnsavedText || this.ports.details.isUnsaved();
    if (isPending && failure) this.set({ status: 'Not saved', failure, retryAt });
    else if (this.isSaving) this.set({ status: 'Saving…' });
    else if (this.isNew && !this.needsDocument) this.set({ status: 'New' });
    else if (isPending && !this.isHeld) this.set({ status: 'Saving…' });
    else this.set({ status: this.isNew ? 'New' : isPending ? 'Not saved' : 'Saved' });
  }

  private set(state: Omit<AutosaveState, 'conflicts' | 'titleConflict'>): void {
    const { titleConflict } = this;
    this.state = { ...state, conflicts: this.comparison.open, titleConflict };
    this.ports.onState(this.state);
  }

  /** Sends one request at a time, so that each names the version that the previous one created. */
  private inTurn<Result>(task: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.last.then(task);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

function isTemporary({ status }: Failure): boolean {
  return TEMPORARY.has(status) || status >= 500;
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
