import { dataOf, type V1Client } from '../../../api/client.js';
import { asFailure, Failure } from '../../../api/failure.js';
import type { components } from '../../../api/v1-schema.js';
import { showDone, showFailure, showNotice } from '../../../components/messages.js';
import { randomId } from '../../../random-id.js';
import { convertFile } from '../convert-file.js';
import { versionTag, type Document, type DocumentListItem } from '../document-types.js';
import { Acceptances } from './acceptances.js';
import { Announcements } from './announcements.js';
import {
  Autosave,
  NOTHING,
  type AutosaveState,
  type ChangeOfOthers,
  type DetailsPort,
  type Draft,
} from './autosave.js';
import { createEditor, type EditorHandle } from './editor.js';
import { bothTexts, type OpenConflict } from './conflicts.js';
import { creationOf, isRefused, type Creation, type Template } from './creation.js';
import { EditedDetails, NO_DETAILS, type Details } from './details.js';
import { firstLineOf } from './first-line.js';
import { DraftKeeper, keepText, type FoundDraft, type Suggesting } from './drafts.js';
import { editorPosition, withPlainLineBreaks } from './line-breaks.js';
import type { Texts } from './texts.js';

/**
 * Browsers limit the body of a request that outlives its page to 64 KiB. Half of that, because letters may take two
 * bytes.
 */
const OUTLIVES_PAGE = 30_000;

export type Enhancement = components['schemas']['Enhancement'];

/** Name for this person in another tab. */
export const OTHER_TAB = 'Your other tab';

/**
 * Pause before the document is loaded after a change, in ms, so that the response to this page's own save arrives
 * first.
 */
const READ_REST = 250;

/** Time after which the page shows what typing changed outside the text, such as the status of saving, in ms. */
const TELL_AFTER = 200;

/** What the sessions of an account share. */
export interface SessionServices {
  userId: string;
  accountId: string;
  api: V1Client;
  /** Runs a request and reports failures that concern the whole page, such as an expired session. */
  send: <Result>(request: () => Promise<Result>) => Promise<Result>;
  /** Called after a change that is visible in lists of documents. */
  onListChange: () => void;
  /** Called after the service recorded accepted suggestions. */
  onEnhancement: (enhancement: Enhancement) => void;
  /** Called after a session created its document. */
  onCreated: (session: DocumentSession) => void;
}

/** Whether the document exists, is in the trash, or does not exist. */
export type Presence = 'here' | 'trash' | 'gone';

/** The state of a session that a page shows. */
export interface SessionView {
  /** The newest version; undefined until the document is created. */
  document: Document | undefined;
  documentId: string | undefined;
  texts: Texts;
  details: Details;
  state: AutosaveState;
  presence: Presence;
  /** True while a request that creates the document has no response. */
  isCreating: boolean;
  /** When the continued draft was stored. */
  restoredAt: string | undefined;
  /** False if the browser does not store drafts. */
  storesDrafts: boolean;
  isUnsaved: boolean;
  /** Set while edits are a suggestion, which is never saved to the document. */
  suggesting: Suggesting | undefined;
  /** ID of the marked passage that was clicked last. */
  picked: string | undefined;
  /** The latest changes of others, as a sentence. */
  announcement: string;
}

/** Which side wins in a conflict. */
export type Choice = 'yours' | 'theirs' | 'both';

/** Initial state of a session. */
interface SessionStart {
  id: string;
  document?: Document | undefined;
  /** Known even if the document was deleted. */
  documentId?: string | undefined;
  presence?: Presence;
}

/**
 * One document that is being edited, from the first keystroke: its text with caret and undo history, unsaved edits, and
 * saving. It lives outside React, so that neither creating the document nor leaving the page loses any of it
 * (docs/adr/0025-dashboard-application.md).
 */
export class DocumentSession {
  readonly id: string;
  readonly autosave: Autosave<Document>;
  readonly editor: EditorHandle;
  /** Accepted suggestions that are not reported to the service yet. */
  readonly acceptances: Acceptances;
  /** Element of the editor. A page inserts it where the text belongs. */
  readonly element = document.createElement('div');
  /** Values of the template's variables. */
  values: Readonly<Record<string, string>> = {};
  /** ID of the deleted document whose text was saved as a new one, until the page has the new URL. */
  formerId: string | undefined;
  /** True while a page shows the session. */
  isOpen = false;

  private readonly details: EditedDetails;
  private readonly keeper: DraftKeeper;
  private readonly announcements = new Announcements((announcement) => {
    this.update({ announcement });
  });
  private reading: ReturnType<typeof setTimeout> | undefined;
  /** The newest reported version since the document was last loaded; infinite if its number is unknown. */
  private heardVersion = 0;
  private shownConflicts: readonly OpenConflict[] = [];
  private readonly listeners = new Set<() => void>();
  private creation: Creation | undefined;
  /**
   * The template of a new document. Its variables must be filled in first, so the document is not created
   * automatically.
   */
  private templateId: string | undefined;
  private template: Template | undefined;
  /** The folder for a new document. */
  private folderId: string | undefined;
  private hasChosenType = false;
  /** True while the first line of the text is the title of a new document, because nobody typed a title. */
  private isNamedByText: boolean;
  private view: SessionView;
  /** True while the session takes what was typed into the text. */
  private isTyping = false;
  private telling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly services: SessionServices,
    { id, document: known, documentId = known?.id, presence = 'here' }: SessionStart,
  ) {
    this.id = id;
    this.isNamedByText = documentId === undefined;
    this.details = new EditedDetails(known ?? NO_DETAILS);
    const place = this.placeOf(documentId ?? 'new');
    this.acceptances = new Acceptances(
      () => `accepted/${services.userId}/${services.accountId}/${this.view.documentId ?? id}`,
      (enhancementId, suggestionIds) => this.recordAcceptances(enhancementId, suggestionIds),
    );
    this.keeper = new DraftKeeper(place, id, (isStored) => {
      if (isStored !== this.view.storesDrafts) this.update({ storesDrafts: isStored });
    });
    this.autosave = new Autosave<Document>(known ?? NOTHING, this.ports());
    this.view = {
      document: known,
      documentId,
      texts: this.autosave.yours,
      details: this.details.yours,
      state: this.autosave.state,
      presence,
      isCreating: false,
      restoredAt: undefined,
      storesDrafts: true,
      isUnsaved: false,
      suggesting: undefined,
      picked: undefined,
      announcement: '',
    };
    this.editor = createEditor(this.element, {
      label: 'Content',
      text: this.autosave.yours.content,
      readOnly: false,
      placeholder: 'Write, or drop a file',
      onChange: (content) => {
        this.isTyping = true;
        try {
          this.edit({ content });
        } finally {
          this.isTyping = false;
        }
      },
      onPick: (picked) => {
        this.update({ picked });
      },
      convertFile: (file, signal) => convertFile(services.api, file, signal),
      onNotice: showNotice,
    });
    void this.acceptances.load().then(() => {
      this.recordAccepted();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  /** Returns the same object until something changes. */
  readonly snapshot = (): SessionView => this.view;

  get documentId(): string | undefined {
    return this.view.documentId;
  }

  /** Why some of the details are not stored. */
  get detailsProblem(): string | undefined {
    return this.details.failure?.message;
  }

  /** Continues the newest draft. History lists the texts of the others. */
  restore([newest, ...others]: readonly FoundDraft[]): void {
    if (!newest) return;
    const { draft, at } = newest;
    this.keeper.replaces([newest, ...others].map(({ key }) => key));
    for (const { draft: other } of others) void this.keepText(other.yours);
    this.creation = draft.creation;
    if (draft.values) this.values = draft.values;
    if (draft.details && this.view.presence === 'gone') this.details.edit(draft.details.yours);
    else if (draft.details) this.details.restore(draft.details);
    const { suggesting } = draft;
    this.update({ restoredAt: at, isCreating: draft.creation !== undefined, suggesting });
    this.isNamedByText &&= draft.yours.title === firstLineOf(draft.yours.content);
    this.autosave.restore(draft, this.view.document);
    this.update({ texts: this.autosave.yours, details: this.details.yours });
    this.editor.setText(this.autosave.yours.content);
    this.shownConflicts = [];
    this.markConflicts(this.autosave.state.conflicts);
    if (this.autosave.isUnsaved && this.view.presence === 'here') {
      showDone('Unsaved changes restored.');
    }
  }

  edit(change: Partial<Texts>): void {
    if (change.title !== undefined) this.isNamedByText = false;
    const { content } = change;
    const isNamed = this.isNamedByText && content !== undefined;
    this.autosave.edit(isNamed ? { content, title: firstLineOf(content) } : change);
    this.update({ texts: this.autosave.yours });
  }

  editDetails(changes: Partial<Details>): void {
    this.details.edit(changes);
    if (changes.type) this.hasChosenType = true;
    this.update({ details: this.details.yours });
    this.autosave.editDetails();
  }

  setValues(values: Readonly<Record<string, string>>): void {
    this.values = values;
    this.autosave.settle();
    this.update({});
  }

  /** Sets the template of a new document. `template` is undefined until it is loaded. */
  setTemplate(templateId: string | undefined, template: Template | undefined): void {
    if (templateId === this.templateId && template === this.template) return;
    this.templateId = templateId;
    this.template = template;
    this.autosave.settle();
  }

  /** Sets the folder for a new document. */
  setFolder(folderId: string | undefined): void {
    this.folderId = folderId;
  }

  /** Decides conflicts. Their words are inserted as an edit that can be undone. */
  decide(conflicts: readonly OpenConflict[], choice: Choice): void {
    const { content } = this.autosave.yours;
    this.autosave.endConflicts(conflicts.map(({ id }) => id));
    if (choice === 'yours') return;
    this.editor.replace(
      conflicts.map(({ from, to, yours, theirs }) => ({
        from: editorPosition(content, from),
        to: editorPosition(content, to),
        insert: withPlainLineBreaks(choice === 'theirs' ? theirs : bothTexts({ yours, theirs })),
      })),
    );
  }

  /** Decides which title the document gets. */
  decideTitle(choice: 'yours' | 'theirs'): void {
    const { titleConflict } = this.autosave.state;
    if (!titleConflict) return;
    this.autosave.endTitleConflict();
    if (choice === 'theirs') this.edit({ title: titleConflict.theirs });
  }

  /** Starts a suggestion: from now on, edits stay in this browser. Saves the earlier ones. */
  async suggest(): Promise<void> {
    await this.autosave.save();
    if (this.autosave.isUnsaved) showNotice('Your edits are not saved yet. Try again in a moment.');
    else this.update({ suggesting: { message: '' } });
  }

  describeSuggestion(message: string): void {
    this.update({ suggesting: { message } });
    this.autosave.settle();
  }

  /** The patch of the metadata that a suggestion contains. */
  get suggestedMetadata() {
    return this.details.patch?.metadata;
  }

  /** Ends a suggestion and shows the document again. */
  stopSuggesting(): void {
    this.details.discard();
    this.update({ suggesting: undefined, details: this.details.yours });
    this.autosave.discard();
  }

  /** Stores the current text for History. */
  keepCurrentText(): Promise<void> {
    return this.keepText(this.autosave.yours);
  }

  /** Picks a marked passage, like a click on it. */
  pick(id: string): void {
    this.update({ picked: id });
  }

  /** Picks a marked passage and selects it in the text. */
  jumpToMark(id: string): void {
    this.pick(id);
    this.editor.jumpToMark(id);
  }

  /** Merges the newest version of the document, which somebody else may have made. */
  hear(document: Document): void {
    const wasMissing = this.view.presence !== 'here';
    if (wasMissing) this.update({ presence: 'here' });
    void this.autosave.hear(document).then(() => {
      if (wasMissing) void this.autosave.save();
    });
  }

  /** Loads the document soon after it was changed, deleted or restored. `version` is the new version, if known. */
  hearOf(version: number | undefined): void {
    this.heardVersion = Math.max(this.heardVersion, version ?? Infinity);
    this.reading ??= setTimeout(() => {
      const heard = this.heardVersion;
      this.heardVersion = 0;
      // Most versions come from this page, which has received the response to its own request by now.
      const isKnown = heard <= (this.view.document?.version ?? 0) && this.view.presence === 'here';
      void (isKnown ? Promise.resolve() : this.read()).finally(() => {
        this.reading = undefined;
        if (this.heardVersion > 0) this.hearOf(this.heardVersion);
      });
    }, READ_REST);
  }

  private async read(): Promise<void> {
    try {
      this.hear(await this.load());
    } catch (error) {
      if (asFailure(error).status === 404) await this.findMissing();
    }
  }

  /** Finds out where the document is after the service responded that it does not exist. */
  async findMissing(): Promise<void> {
    const { documentId } = this.view;
    if (documentId === undefined) return;
    const found = await findInTrash(this.services, documentId).catch(() => null);
    if (found === null || this.view.documentId !== documentId) return;
    this.update({ presence: found ? 'trash' : 'gone' });
    this.autosave.settle();
  }

  /** Restores the document from the trash and saves pending changes. */
  async restoreDocument(): Promise<void> {
    const { api, send } = this.services;
    const path = { id: this.view.documentId ?? '' };
    try {
      await send(() => dataOf(api.POST('/v1/documents/{id}/restore', { params: { path } })));
    } catch (error) {
      const { status } = asFailure(error);
      if (status === 404) {
        await this.findMissing();
        return;
      }
      // 409 if somebody else restored it, or if another document has its external ID. In the second case, it is still
      // in the trash.
      if (status !== 409) throw error;
      const document = await this.load().catch(() => undefined);
      if (!document) throw error;
    }
    this.hear(await this.load());
    this.services.onListChange();
  }

  /** Saves the text as a new document, because the old one was deleted. */
  async saveAsNew(): Promise<void> {
    const details = this.details.yours;
    this.details.take(NO_DETAILS);
    this.details.edit(details);
    this.hasChosenType = true;
    this.creation = undefined;
    this.update({ suggesting: undefined });
    this.autosave.becomeNew();
    await this.autosave.create();
  }

  /** Called when a page shows the session. */
  enter(): void {
    this.isOpen = true;
    if (this.autosave.state.failure) void this.autosave.save();
    else this.autosave.flush();
  }

  /** Called when the page is left. Saves pending changes. */
  leave(): void {
    this.isOpen = false;
    this.autosave.flush();
  }

  /** Ends the session. A draft stays in the browser. */
  destroy(): void {
    this.autosave.stop();
    this.announcements.stop();
    clearTimeout(this.reading);
    clearTimeout(this.telling);
    this.editor.destroy();
  }

  /** Called when the tab is closed or reloaded. For a new document, the stored draft is enough. */
  flushBeforeUnload(): void {
    this.keeper.keepNow();
    if (this.documentId !== undefined) this.autosave.flush();
  }

  private placeOf(documentId: string) {
    const { userId, accountId } = this.services;
    return { userId, accountId, documentId };
  }

  private keepText(texts: Texts): Promise<void> {
    return keepText(this.placeOf(this.view.documentId ?? 'new'), texts).catch(showFailure);
  }

  /** Reports accepted suggestions whose replacement is in the saved text. */
  private recordAccepted(): void {
    if (this.acceptances.isEmpty) return;
    const marks = new Map(this.editor.marks('suggestions').map((mark) => [mark.id, mark]));
    // There are no marks after a reload, but the draft lists what was accepted.
    this.acceptances.review(({ id, value }) => (marks.get(id)?.text ?? value) === value);
    const { status, conflicts } = this.autosave.state;
    if (status !== 'Saved') return;
    const { content } = this.autosave.yours;
    const held = conflicts.map(({ from, to }) => ({
      from: editorPosition(content, from),
      to: editorPosition(content, to),
    }));
    const isHeld = (mark: { from: number; to: number }) =>
      held.some(({ from, to }) => mark.from <= to && mark.to >= from);
    this.acceptances.send(new Set([...marks.values()].filter(isHeld).map(({ id }) => id)));
  }

  private async recordAcceptances(enhancementId: string, suggestionIds: string[]): Promise<void> {
    const { api, send, onEnhancement } = this.services;
    const path = { id: this.view.documentId ?? '', enhancementId };
    const enhancement = await send(() =>
      dataOf(
        api.POST('/v1/documents/{id}/enhancements/{enhancementId}/accept', {
          params: { path },
          body: { suggestionIds },
        }),
      ),
    );
    onEnhancement(enhancement);
  }

  private update(changes: Partial<SessionView>): void {
    this.view = { ...this.view, ...changes, isUnsaved: this.autosave.isUnsaved };
    // Rendering the page takes longer than a key.
    if (this.isTyping)
      this.telling ??= setTimeout(() => {
        this.tell();
      }, TELL_AFTER);
    else this.tell();
  }

  private tell(): void {
    clearTimeout(this.telling);
    this.telling = undefined;
    for (const listener of this.listeners) listener();
  }

  private async load(): Promise<Document> {
    const { api, send } = this.services;
    const path = { id: this.view.documentId ?? '' };
    return send(() => dataOf(api.GET('/v1/documents/{id}', { params: { path } })));
  }

  private async patch(body: object, version: number): Promise<Document> {
    const { api, send } = this.services;
    return send(() =>
      dataOf(
        api.PATCH('/v1/documents/{id}', {
          params: {
            path: { id: this.view.documentId ?? '' },
            header: { 'If-Match': versionTag(version) },
          },
          body,
          keepalive: JSON.stringify(body).length < OUTLIVES_PAGE,
        }),
      ),
    );
  }

  private ports() {
    const { details } = this;
    const detailsPort: DetailsPort<Document> = {
      isUnsaved: () => details.isUnsaved || this.hasValues,
      canSend: () => details.canSend,
      needDocument: () => details.needDocument,
      failure: () => details.failure,
      send: (version) => details.send((body) => this.patch(body, version)),
    };
    return {
      details: detailsPort,
      create: (texts: Texts) => this.create(texts),
      save: (changes: Partial<Texts>, version: number) => this.patch(changes, version),
      load: () => this.load(),
      isPaused: () =>
        this.templateId !== undefined ||
        this.view.presence !== 'here' ||
        this.view.suggesting !== undefined,
      isSuggestion: () => this.view.suggesting !== undefined,
      authorOf: ({ updatedBy }: Document) =>
        updatedBy.id === this.services.userId ? OTHER_TAB : updatedBy.name,
      keepDraft: (draft: Draft | undefined) => {
        void this.keeper.keep(draft && { ...draft, ...this.furtherDraft() });
      },
      onDocument: (document: Document) => {
        this.details.take(document);
        this.update({ document, details: this.details.yours });
      },
      onTexts: (texts: Texts, by?: ChangeOfOthers) => {
        this.update({ texts });
        this.editor.setText(texts.content, { tint: by !== undefined });
        if (by) this.announcements.add(by);
      },
      onMissing: () => void this.findMissing(),
      onState: (state: AutosaveState) => {
        this.markConflicts(state.conflicts);
        this.recordAccepted();
        this.update(state.status === 'Saved' ? { state, restoredAt: undefined } : { state });
      },
    };
  }

  private get hasValues(): boolean {
    return this.templateId !== undefined && Object.keys(this.values).length > 0;
  }

  private furtherDraft() {
    return {
      // Also without edits, because they are saved with the text if the document is deleted permanently.
      details: this.details.draft,
      creation: this.creation,
      templateId: this.templateId,
      values: this.values,
      suggesting: this.view.suggesting,
    };
  }

  private async create(texts: Texts): Promise<{ document: Document; sent: Texts }> {
    const { api, send } = this.services;
    const { title } = this.autosave.yours;
    this.creation ??= creationOf({
      key: randomId(),
      texts,
      hasTitle: title.trim() !== '',
      type: this.hasChosenType ? this.details.yours.type : undefined,
      template: this.template,
      folderId: this.folderId,
      values: this.values,
    });
    this.update({ isCreating: true });
    const { key, body, sent } = this.creation;
    const { yours } = this.autosave;
    // Stored before it is sent, so that the same request is repeated after a reload.
    await this.keeper.keep({ base: NOTHING, yours, sent: [], ...this.furtherDraft() });
    try {
      const document = await send(() =>
        dataOf(api.POST('/v1/documents', { params: { header: { 'Idempotency-Key': key } }, body })),
      );
      this.adopt(document);
      return { document, sent };
    } catch (error) {
      if (isRefused(error)) {
        this.creation = undefined;
        this.update({ isCreating: false });
      }
      throw error;
    }
  }

  /** Becomes the session of the document that was just created. */
  private adopt({ id }: Document): void {
    this.creation = undefined;
    this.isNamedByText &&= this.templateId === undefined;
    this.templateId = undefined;
    this.formerId = this.view.documentId;
    this.keeper.moveTo(this.placeOf(id));
    this.update({ documentId: id, presence: 'here', isCreating: false });
    this.services.onCreated(this);
    this.services.onListChange();
  }

  /** Marks the conflicts in the editor. Marks move with the text, so only another set of conflicts needs new ones. */
  private markConflicts(conflicts: readonly OpenConflict[]): void {
    const isSame =
      conflicts.length === this.shownConflicts.length &&
      conflicts.every(({ id, theirs }, index) => {
        const shown = this.shownConflicts[index];
        return shown?.id === id && shown.theirs === theirs;
      });
    if (isSame) return;
    this.shownConflicts = conflicts;
    const { content } = this.autosave.yours;
    this.editor.mark(
      'conflicts',
      conflicts.map(({ id, from, to }) => ({
        id,
        from: editorPosition(content, from),
        to: editorPosition(content, to),
      })),
    );
  }
}

/** Returns the document if it is in the trash. */
export async function findInTrash(
  { api, send }: Pick<SessionServices, 'api' | 'send'>,
  documentId: string,
): Promise<Document | undefined> {
  const query = { ids: [documentId], deleted: true, include: 'content' as const };
  const [found] = await send(() => dataOf(api.GET('/v1/documents', { params: { query } })));
  return found && documentOf(found);
}

function documentOf(item: DocumentListItem): Document {
  return { ...item, content: item.content ?? '' };
}

/** Returns the failure for a document that neither the account nor this browser has. */
export function documentNotFound(): Failure {
  return new Failure("This document doesn't exist or was deleted permanently.", 404);
}
