import { parseObject, sourceText } from '../envelope/json-text.js';
import { AppError, invalidFields, type FieldProblem } from '../errors/app-error.js';
import { mergeJsonText } from './changes/merge-json-text.js';
import type { EditOutcome } from './changes/text-edits.js';
import type { DocumentFields } from './document-change.js';
import type { DocumentStatus } from './document-status.js';
import type { Document } from './document.js';
import type { PatchDocumentDto } from './dto/patch-document.dto.js';
import type { ReplaceDocumentDto } from './dto/replace-document.dto.js';
import { aiSettingsProblems, metadataProblems } from './free-form.js';
import { allowedFrom, isAllowed } from './status-transitions.js';

/** What a merge patch makes of a document. Throws `bad_request` for what a document cannot be, `conflict` for its status. */
export function patchedFields(
  document: Document,
  patch: PatchDocumentDto,
): Partial<DocumentFields> {
  const { title, type, content } = patch;
  const metadata = patchedObject(document.metadata, patch.metadata);
  const aiSettings = patchedObject(document.aiSettings, patch.aiSettings);
  const [first, ...rest] = [
    ...problemsOf(metadata, metadataProblems),
    ...problemsOf(aiSettings, aiSettingsProblems),
  ];
  if (first) throw invalidFields([first, ...rest]);
  return withoutMissing({
    title,
    type: type === null ? 'document' : type,
    content: content === null ? '' : content,
    metadata,
    aiSettings,
    status: nextStatus(document, patch.status),
  });
}

/** What replacing a document makes of it: what is left out is as in a new one. The status stays unless it is named. */
export function replacedFields(
  document: Document,
  body: ReplaceDocumentDto,
): Partial<DocumentFields> {
  return withoutMissing({
    title: body.title,
    type: body.type ?? 'document',
    content: body.content ?? '',
    metadata: body.metadata ? sourceText(body.metadata) : '{}',
    aiSettings: body.aiSettings ? sourceText(body.aiSettings) : '{}',
    status: nextStatus(document, body.status),
  });
}

/** What edits made of a document. Throws `unprocessable` with the index of the first one that cannot be done. */
export function editedFields(outcome: EditOutcome): Partial<DocumentFields> {
  if (!outcome.done) throw editRefused(outcome.index, outcome.reason, outcome.problem);
  return { content: outcome.text };
}

/** The answer to an edit that cannot be done; none of the request's edits are. */
export function editRefused(index: number, reason: string, problem: FieldProblem): AppError {
  return new AppError('unprocessable', `${problem.field}: ${problem.issue}. No edit was made.`, {
    ...problem,
    index,
    reason,
    problems: [problem],
  });
}

/** The answer to a status that the document cannot take from where it is. */
export function illegalTransition(from: DocumentStatus, to: DocumentStatus): AppError {
  const allowed = allowedFrom(from);
  return new AppError(
    'conflict',
    `A document cannot go from ${from} to ${to}. It can go to ${allowed.join(' or ')}.`,
    { field: 'status', issue: `cannot become ${to}`, from, to, allowed },
  );
}

function nextStatus(
  { status }: Document,
  wanted: DocumentStatus | undefined,
): DocumentStatus | undefined {
  if (wanted !== undefined && !isAllowed(status, wanted)) throw illegalTransition(status, wanted);
  return wanted;
}

function patchedObject(
  text: string,
  patch: Record<string, unknown> | null | undefined,
): string | undefined {
  if (patch === undefined) return undefined;
  return patch === null ? '{}' : mergeJsonText(text, sourceText(patch));
}

/** A patch may be well-formed and still make something too large, or of the wrong type. */
function problemsOf(
  text: string | undefined,
  check: (value: unknown) => FieldProblem[],
): FieldProblem[] {
  return text === undefined ? [] : check(parseObject(text));
}

function withoutMissing<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}
