import { parseObject } from '../../platform/http/bodies/json-text.js';
import {
  AppError,
  invalidFields,
  type FieldProblem,
} from '../../platform/basics/errors/app-error.js';
import { applyMergePatch } from '../content/json-merge-patch.js';
import type { EditOutcome } from '../content/text-edits.js';
import { storedForm, withDefaults } from './document-defaults.js';
import {
  fieldOf,
  initialOf,
  PATCHABLE_FIELDS,
  type Document,
  type DocumentFields,
  type PatchableField,
} from './document-fields.js';
import { allowedFrom, isAllowed, type DocumentStatus } from './document-status.js';
import type { PatchDocumentDto, ReplaceDocumentDto } from './dto/write-document.dto.js';

/** What a merge patch makes of a document. Throws `bad_request` for what a document cannot be, `conflict` for its status. */
export function patchedFields(
  document: Document,
  patch: PatchDocumentDto,
): Partial<DocumentFields> {
  const named = PATCHABLE_FIELDS.filter((name) => patch[name] !== undefined);
  const fields = Object.fromEntries(
    named.map((name) => [name, patchedValue(name, document[name], patch[name])]),
  ) as Partial<DocumentFields>;
  const [first, ...rest] = named.flatMap((name) => problemsOf(name, fields[name]));
  if (first) throw invalidFields([first, ...rest]);
  requireTransition(document, fields.status);
  return fields;
}

/** What replacing a document makes of it: what is left out is as in a new one, or stays if it is a staying field. */
export function replacedFields(
  document: Document,
  body: ReplaceDocumentDto,
): Partial<DocumentFields> {
  requireTransition(document, body.status);
  const { status = document.status, externalId = document.externalId } = body;
  return { ...withDefaults(body), status, externalId };
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

function requireTransition({ status }: Document, wanted: DocumentStatus | undefined): void {
  if (wanted !== undefined && !isAllowed(status, wanted)) throw illegalTransition(status, wanted);
}

function patchedValue(
  name: PatchableField,
  before: string | null,
  patch: PatchDocumentDto[PatchableField],
): string | null | undefined {
  const value = storedForm(patch);
  if (value == null) return initialOf(name);
  const isMerged = fieldOf(name).type === 'json' && before !== null;
  return isMerged ? applyMergePatch(before, value) : value;
}

/** A patch may be well-formed and still make something too large, or of the wrong type. */
function problemsOf(name: PatchableField, text: string | null | undefined): FieldProblem[] {
  const { patchable } = fieldOf(name);
  if (!patchable || !patchable.problems || typeof text !== 'string') return [];
  return patchable.problems(parseObject(text));
}
