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
/** The same pause before a document is created. */
const CREATE_REST = 2_000;
/** The same pause after a change of tags, metadata and other details. */
const DETAILS_REST = 1_000;
/** The longest that continuous typing delays a save, in ms. */
const AT_LATEST = 60_000;
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

export interface AutosaveState {
  /** `New` until something of a new document is saved, or waits to be. */
  status: 'New' | 'Saved' | 'Saving…' | 'Not saved';
  /** Why it could not be saved. */
  failure?: Failure | undefined;
  /** When the next attempt is made, in ms since 1970. */
  retryAt?: number | undefined;
  /** Passages that somebody else changed too, in the order of the text. Everything else is saved. */
  conflicts: readonly OpenConflict[];
  titleConflict?: TitleConflict | undefined;
}

/** Texts of a request. */
interface SentTexts extends Texts {
  /** Where their words of each conflict are in it, by the id of the conflict. */
  theirs?: Readonly<Record<string, Range>> | undefined;
}

/** The part of a draft that {@link Autosave} needs: text that the service does not have yet. */
export interface Draft {
  base: Snapshot;
  yours: Texts;
  /** Texts that were sent and never answered: the service may have them. */
  sent: readonly SentTexts[];
  conflicts?: readonly Conflict[] | undefined;
  titleConflict?: TitleConflict | undefined;
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

interface Comparison {
  texts: Texts;
  open: readonly OpenConflict[];
  /** Where their words of the open conflicts are in the texts to save. */
  theirs: Readonly<Record<string, Range>>;
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
  /** Returns who made this version. */
  authorOf: (document: Doc) => string | undefined;
  /** Called with every version of the document that arrives. */
  onDocument: (document: Doc) => void;
  /** Called when the text changed without typing: an editor must show it. `by` is set if somebody else changed it. */
  onTexts: (texts: Texts, by?: ChangeOfOthers) => void;
  /** Called when the service has no such document. */
  onMissing: () => void;
  onState: (state: AutosaveState) => void;
}

/** A change that somebody else made while the text was open. */
export interface ChangeOfOthers {
  name: string | undefined;
  /** Number of passages that changed in the text on the screen. */
  passages: number;
}

/**
 * Saves a document while it is being written: a draft in the browser at once, a version after a pause. Creating the
 * document is its first save. Changes of other people are merged. Where both changed the same words, theirs are saved and
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

  /** What to save, and the open conflicts. Computed once for each state of the text. */
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

  /** True if something of a new document is worth creating it. A language alone is not. */
  private get needsDocument(): boolean {
    return this.hasUnsavedText || this.ports.details.needDocument();
  }

  /** Continues a draft of an earlier visit. `document` is what the service has now, if it has one. */
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
    this.conflicts = [];
    this.titleConflict = undefined;
    this.failure = undefined;
    this.settle();
  }

  /** Stops saving automatically. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /**
   * Makes another change of the document, such as of its status, once the text is saved. What is typed meanwhile is merged
   * with the answer. Throws the failure if the text cannot be saved.
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
      return request(this.base.version);
    }
  }

  /** Takes in a version that the service has. */
  hear(document: Doc): Promise<void> {
    return this.inTurn(() => {
      if (document.version <= this.base.version) return;
      this.takeIn(document);
      this.settle();
    });
  }

  /** Ends conflicts: your words there are saved like all others. */
  endConflicts(ids: readonly string[]): void {
    this.conflicts = this.comparison.open.filter(({ id }) => !ids.includes(id));
    this.saveSoon();
  }

  endTitleConflict(): void {
    this.titleConflict = undefined;
    this.saveSoon();
  }

  /** Stores the draft, publishes the state, and plans the next save. */
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

  /** Returns why the text is not saved; undefined if all that had been typed is. */
  private async saveNow(): Promise<Failure | undefined> {
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
    const mayContinue = !(textFailure && isTemporary(textFailure));
    const detailsFailure = mayContinue ? await this.attempt(() => this.saveDetails()) : undefined;
    this.isSaving = false;
    this.finish(textFailure ?? detailsFailure, sending);
    return textFailure;
  }

  /** Plans what follows a save of `sending`. */
  private finish(failure: Failure | undefined, sending: Texts): void {
    // What was refused is not repeated until something else is typed.
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
    this.sent = [sending, ...this.sent].slice(0, UNANSWERED);
    this.ports.keepDraft(this.draft);
    const saved = await this.ports.save(changesOf(this.base, sending), this.base.version);
    this.rebase(saved, sending);
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
    const by = this.ports.authorOf(document);
    const merge = this.merge(document, by);
    this.conflicts = merge.conflicts;
    if (document.title === storedTexts(this.yours).title) this.titleConflict = undefined;
    else if (merge.titleOverlaps) this.titleConflict = { theirs: document.title, by };
    const passages = merge.edits.length + (merge.takesTitle ? 1 : 0);
    if (passages > 0) this.show(merge.texts, { name: by, passages });
    this.ports.onDocument(document);
  }

  /** Makes a version that comes from this page the base, with what was typed since. */
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

  /** Makes the document the base. Returns what is written, merged with it; yours where both changed the same words. */
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

  /** Makes a version the base that is what was sent. */
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

function snapshotOf({ title, content, version }: Snapshot): Snapshot {
  return { title, content, version };
}

function changesOf(base: Texts, yours: Texts): Partial<Texts> {
  return {
    ...(yours.title !== base.title && { title: yours.title }),
    ...(yours.content !== base.content && { content: yours.content }),
  };
}
