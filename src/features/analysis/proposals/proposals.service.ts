import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import type { RequestContext } from '../../auth/request-context.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import {
  AppError,
  invalidFields,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { decodeId, encodeId, newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import type { Page } from '../../../platform/http/pagination/read-page.js';
import { LongTextsService } from '../../content/long-texts/long-texts.service.js';
import type { NearText, ProposedChange } from '../../content/text/proposed-changes.js';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { patchedFields } from '../../documents/changes/apply-patch.js';
import { ChangeMergingService } from '../../documents/changes/change-merging.service.js';
import { DocumentAnnouncementsService } from '../../documents/changes/document-announcements.service.js';
import type { PatchDocumentDto } from '../../documents/dto/write-document.dto.js';
import { DocumentsService } from '../../documents/documents.service.js';
import type { Document } from '../../documents/model/document-fields.js';
import { effectiveSettings } from '../analyses/analysis-settings.js';
import { placesOf } from '../enhancements/apply-suggestions.js';
import { PROPOSAL, type FieldChange, type Suggestion } from '../enhancements/enhancement.js';
import type { PreviewedEnhancement } from '../enhancements/enhancement.presenter.js';
import type { EnhancementHead } from '../enhancements/enhancements.repository.js';
import { EnhancementsService } from '../enhancements/enhancements.service.js';
import { fieldChanges } from './field-changes.js';
import { MAX_CHANGES, MAX_OPEN, MAX_REPLACEMENT_UNITS } from './proposal-limits.js';
import { ProposalsRepository } from './proposals.repository.js';
import { tooMuchText, type ListProposalsDto, type ProposeChangesDto } from './proposals.dto.js';

/** Confidence of proposed changes. Below 0.9, `safe` never applies them. */
const CONFIDENCE = 0.7;
/** Engine and settings of proposals, which no engine made. */
const ENGINE = { name: PROPOSAL, version: '1' };
const SETTINGS = { ...effectiveSettings({}), tone: null, targetLanguage: null };

/** The changes of a proposal to one version of its document. */
interface Draft {
  /** The version that the changes refer to. */
  version: number;
  suggestions: Suggestion[];
  fieldChanges: FieldChange[];
  /** Numbers of changes that are left out, by reason. */
  dropped: Record<string, number>;
}

/** Creates and lists proposals: enhancements that a person or a program sent (docs/adr/0038-proposals.md). */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentsService,
    private readonly announcements: DocumentAnnouncementsService,
    private readonly merging: ChangeMergingService,
    private readonly texts: LongTextsService,
    private readonly proposals: ProposalsRepository,
    private readonly enhancements: EnhancementsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a proposal with its event and audit entry. Leaves out changes that were rejected, are open in another
   * proposal, or no longer apply. Throws `not_found`, `bad_request` for edits that do not apply to the base version,
   * and `conflict` if no change is left, if the base version is not stored, if a whole text cannot be merged, or if too
   * many proposals are open.
   */
  async propose(
    id: string,
    body: ProposeChangesDto,
    context: RequestContext,
  ): Promise<PreviewedEnhancement> {
    const { access } = context;
    const document = await this.documents.find(access, id);
    const early = await this.draft(document, body);
    const proposalId = newUuid();
    const work = async () => {
      const current = await this.announcements.lock({ documentId: document.id, context });
      // Comparing texts takes long, so it is repeated only if the document has changed.
      const draft = current.version === early.version ? early : await this.draft(current, body);
      const left = await this.withoutTaken(current, draft);
      await this.requireCapacity(current);
      await this.store(proposalId, current, { ...left, body }, context);
    };
    await this.database.transaction(work, context.caller, access.accountId);
    return this.enhancements.find(access, id, encodeId('enhancement', proposalId));
  }

  /** Returns one page of proposals of documents outside the trash, newest first. */
  list(access: Access, query: ListProposalsDto): Promise<Page<EnhancementHead>> {
    const { status, documentId, keyId, createdBy } = query;
    const filters = {
      status,
      documentId: documentId && decodeId('document', documentId),
      keyId: keyId && decodeId('key', keyId),
      createdBy: createdBy && decodeId('user', createdBy),
    };
    return this.proposals.list(access, filters, query);
  }

  private async draft(document: Document, body: ProposeChangesDto): Promise<Draft> {
    const { version, content } = document;
    const patch = patchOf(body);
    const wanted = patchedFields(document, patch);
    const fields = await this.merging.patched(document, wanted, body.baseVersion);
    const changed = fieldChanges(document, fields, body.message ?? '');
    const { changes, dropped } = await this.changesOf(document, body, fields.content);
    requireLimits(document, body, changes, changed);
    const suggestions = suggestionsOf(content, changes, body.message);
    return { version, suggestions, fieldChanges: changed, dropped };
  }

  /** Returns the changes of the current text that `edits` or the whole text after them (`content`) make. */
  private async changesOf(
    document: Document,
    { edits, baseVersion }: ProposeChangesDto,
    content: string | undefined,
  ): Promise<Pick<Draft, 'dropped'> & { changes: ProposedChange[] }> {
    const { accountId, version, content: current } = document;
    if (edits === undefined) {
      if (content === undefined) return { changes: [], dropped: {} };
      const made = await this.texts.proposed(accountId, { current, content });
      return made.done ? made : { changes: [], dropped: {} };
    }
    const base = await this.merging.baseOf(document, baseVersion);
    const texts = { base: base?.content ?? current, current, edits };
    const made = await this.texts.proposed(accountId, texts);
    if (!made.done) throw editsRefused(base?.number ?? version, made.problems, made.near);
    return made;
  }

  /** Leaves out changes that were rejected or are open in another proposal. Throws `conflict` if none is left. */
  private async withoutTaken({ accountId, id }: Document, draft: Draft): Promise<Draft> {
    const ids = [...draft.suggestions, ...draft.fieldChanges].map((change) => change.id);
    const taken = await this.proposals.takenIds(accountId, id, ids);
    const reasons = new Map(taken.map((one) => [one.id, one.reason]));
    const dropped = { ...draft.dropped };
    for (const reason of reasons.values()) dropped[reason] = (dropped[reason] ?? 0) + 1;
    const isFree = (change: { id: string }) => !reasons.has(change.id);
    const suggestions = draft.suggestions.filter(isFree);
    const changed = draft.fieldChanges.filter(isFree);
    if (suggestions.length + changed.length === 0) throw nothingLeft(draft.version, dropped);
    return { ...draft, suggestions, fieldChanges: changed, dropped };
  }

  private async requireCapacity({ accountId, id }: Document): Promise<void> {
    const open = await this.proposals.countOpen(accountId, id, MAX_OPEN);
    if (open.ofDocument >= MAX_OPEN.ofDocument) throw tooManyOpen('document');
    if (open.ofAccount >= MAX_OPEN.ofAccount) throw tooManyOpen('account');
  }

  private async store(
    id: string,
    { accountId, id: documentId, version }: Document,
    { body, suggestions, dropped, ...draft }: Draft & { body: ProposeChangesDto },
    context: RequestContext,
  ): Promise<void> {
    const { principal } = context;
    const { message = null, baseVersion = version } = body;
    const at = this.clock.now();
    await this.proposals.insert({
      ...{ id, accountId, documentId, baseVersion, textVersion: version, message, suggestions },
      fieldChanges: draft.fieldChanges,
      settings: SETTINGS,
      engine: ENGINE,
      notes: { dropped, warnings: [] },
      keyId: principal.kind === 'key' ? principal.keyId : null,
      createdBy: principal.user.id,
      createdAt: at,
    });
    const count = suggestions.length + draft.fieldChanges.length;
    const proposal = { id: encodeId('enhancement', id), baseVersion, suggestions: count };
    await this.announcements.announce(
      'proposal.created',
      { documentId, context },
      { proposal },
      { proposal: { ...proposal, message } },
    );
    await insertAuditEntry(this.database, {
      action: 'enhancement.propose',
      resourceId: id,
      at,
      context,
      details: { documentId: encodeId('document', documentId), version, suggestions: count },
    });
  }
}

/** Returns the fields that a proposal sets as a whole. Throws `bad_request` for a body without changes. */
function patchOf({ edits, content, title, metadata }: ProposeChangesDto): PatchDocumentDto {
  const sent = Object.entries({ content, title, metadata }).filter(
    ([, value]) => value !== undefined,
  );
  if (edits === undefined && sent.length === 0) {
    const issue = 'required field missing: send edits, content, title or metadata';
    throw invalidFields([{ field: 'edits', issue }]);
  }
  return Object.fromEntries(sent);
}

/** Throws `bad_request` for more changes or longer texts than a proposal, or the document after it, can have. */
function requireLimits(
  { content: current }: Document,
  { edits, content }: ProposeChangesDto,
  changes: readonly ProposedChange[],
  changed: readonly FieldChange[],
): void {
  const field = edits ? 'edits' : content === undefined ? 'metadata' : 'content';
  const refused = (issue: string) => invalidFields([{ field, issue }]);
  const count = changes.length + changed.length;
  if (count > MAX_CHANGES) {
    throw refused(
      `makes ${String(count)} changes, including title and metadata; a proposal can have ${String(MAX_CHANGES)}. Send a part of them`,
    );
  }
  const units = changes.reduce((sum, { replacement }) => sum + replacement.length, 0);
  if (units > MAX_REPLACEMENT_UNITS) throw refused(tooMuchText(units));
  const added = changes.map(
    ({ original, replacement }) => Buffer.byteLength(replacement) - Buffer.byteLength(original),
  );
  const bytes = added.reduce((sum, more) => sum + more, Buffer.byteLength(current));
  if (bytes > MAX_CONTENT_BYTES) {
    throw refused(
      `makes the content larger than ${String(MAX_CONTENT_BYTES)} bytes of UTF-8: ${String(bytes)}`,
    );
  }
}

function suggestionsOf(
  content: string,
  changes: readonly ProposedChange[],
  message = 'Proposed change',
): Suggestion[] {
  const starts = changes.map(({ start }) => start);
  const places = placesOf(content, starts);
  return changes.map(({ id, start, end, original, replacement, message: own }, index) => ({
    id,
    ruleId: PROPOSAL,
    category: PROPOSAL,
    severity: 'style',
    message: own ?? message,
    explanation: '',
    reason: '',
    start,
    end,
    unit: 'utf16',
    line: places[index]?.line ?? 1,
    column: places[index]?.column ?? 1,
    original,
    replacements: [{ value: replacement, confidence: CONFIDENCE }],
    source: PROPOSAL,
    safe: false,
    status: 'open',
    chosen: null,
    appliedVersion: null,
  }));
}

/** Returns the error for edits that do not apply. `near` is text of the document. */
export function editsRefused(
  version: number,
  problems: readonly [FieldProblem, ...FieldProblem[]],
  near: readonly NearText[],
): AppError {
  const { message, details } = invalidFields(problems);
  const options = { confidentialDetails: ['near'] };
  return new AppError('bad_request', message, { ...details, version, near }, options);
}

/** Returns the error for a proposal without a change that can be proposed. */
export function nothingLeft(version: number, dropped: Readonly<Record<string, number>>): AppError {
  const counts = Object.entries(dropped).map(([reason, count]) => `${String(count)} ${reason}`);
  const left = counts.length > 0 ? ` (${counts.join(', ')})` : '';
  return new AppError(
    'conflict',
    `Nothing is left to propose${left}: each change was rejected before, is open in another proposal, changes nothing, or no longer applies.`,
    { version, dropped },
  );
}

/** Returns the error for too many open proposals. */
export function tooManyOpen(of: 'document' | 'account'): AppError {
  const limit = of === 'document' ? MAX_OPEN.ofDocument : MAX_OPEN.ofAccount;
  const shown = limit.toLocaleString('en-US');
  return new AppError(
    'conflict',
    `This ${of} has ${shown} open proposals, the maximum. Accept, reject or withdraw some first.`,
    { limit, of },
  );
}
