import type { RequestContext } from '../../auth/request-context.js';
import { sourceText, parseObject } from '../../../platform/http/bodies/json-text.js';
import type {
  InitialFields,
  TemplateUse,
} from '../../templates/variables/template-filling.service.js';
import {
  initialOf,
  PATCHABLE_FIELDS,
  type DocumentFields,
  type PatchableField,
  fieldOf,
  type Document,
  allowedFrom,
  isAllowed,
  type DocumentStatus,
} from '../model/document-fields.js';
import type {
  CreateDocumentDto,
  PatchDocumentDto,
  ReplaceDocumentDto,
} from '../dto/write-document.dto.js';
import {
  AppError,
  invalidFields,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { collectionUuid } from '../../collections/collection-documents.js';
import { noSuchCollection } from '../../collections/collection.js';
import { applyMergePatch } from '../../content/json-merge-patch.js';
import type { EditOutcome } from '../../content/text/text-edits.js';

/** The fields that a body can set when it creates or replaces a document. */
type GivenFields = Pick<CreateDocumentDto, Exclude<PatchableField, 'status'>>;

const GIVEN_FIELDS = PATCHABLE_FIELDS.filter((name) => name !== 'status');
const FROM_TEMPLATE = ['title', 'content', 'metadata'] as const;

/** Returns the template request of a new document, or `undefined` if it names no template. */
export function templateUse(
  body: CreateDocumentDto,
  context: RequestContext,
): TemplateUse | undefined {
  const { templateId, templateVariables } = body;
  // Responses contain `templateId: null`, so clients may send that back.
  if (templateId == null) return undefined;
  return {
    accountId: context.principal.accountId,
    templateId,
    templateVariables,
    taken: new Set(FROM_TEMPLATE.filter((field) => body[field] === undefined)),
  };
}

/** Returns the fields of a new draft. Each is the sent value, otherwise the template's, otherwise the default. */
export function withDefaults(body: GivenFields, template?: InitialFields): DocumentFields {
  const fields = GIVEN_FIELDS.map((name) => [
    name,
    storedForm(name, body[name]) ??
      (template as Partial<DocumentFields> | undefined)?.[name] ??
      initialOf(name),
  ]);
  return { ...(Object.fromEntries(fields) as DocumentFields), status: 'draft' };
}

/**
 * Returns a sent value in its stored form. Open objects are stored as their source text, the collection as its UUID. Throws
 * `bad_request` if `collectionId` is not the ID of a collection.
 */
export function storedForm(
  name: PatchableField,
  value: PatchDocumentDto[PatchableField],
): string | null | undefined {
  if (typeof value === 'object' && value !== null) return sourceText(value);
  return name === 'collectionId' ? storedCollection(value) : value;
}

/** Returns undefined for undefined. */
export function storedCollection(id: string | null | undefined): string | undefined {
  if (id === undefined) return undefined;
  const uuid = collectionUuid(id);
  if (uuid === undefined) throw noSuchCollection('collectionId');
  return uuid;
}

/** Returns the fields that a merge patch sets. Throws `bad_request` for invalid values, `conflict` for an illegal status. */
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

/** Returns the fields of a replaced document. Omitted fields get their defaults, except `STICKY_FIELDS`. */
export function replacedFields(document: Document, body: ReplaceDocumentDto): DocumentFields {
  const { status = document.status, externalId = document.externalId } = body;
  const collectionId = storedCollection(body.collectionId) ?? document.collectionId;
  return { ...withDefaults(body), status, externalId, collectionId };
}

/** Returns the content after edits. Throws `unprocessable` with the index of the first edit that failed. */
export function editedFields(outcome: EditOutcome): Partial<DocumentFields> {
  if (!outcome.done) throw editRefused(outcome.index, outcome.reason, outcome.problem);
  return { content: outcome.text };
}

/** Returns the error for a failed edit. No edit of the request is applied. */
export function editRefused(index: number, reason: string, problem: FieldProblem): AppError {
  return new AppError('unprocessable', `${problem.field}: ${problem.issue}. No edit was made.`, {
    ...problem,
    index,
    reason,
    problems: [problem],
  });
}

/** Returns the error for an illegal status transition. */
export function illegalTransition(from: DocumentStatus, to: DocumentStatus): AppError {
  const allowed = allowedFrom(from);
  return new AppError(
    'conflict',
    `A document cannot go from ${from} to ${to}. It can go to ${allowed.join(' or ')}.`,
    { field: 'status', issue: `cannot become ${to}`, from, to, allowed },
  );
}

/** Throws `conflict` for an illegal status. */
export function requireTransition({ status }: Document, next: DocumentStatus | undefined): void {
  if (next !== undefined && !isAllowed(status, next)) throw illegalTransition(status, next);
}

function patchedValue(
  name: PatchableField,
  before: string | null,
  patch: PatchDocumentDto[PatchableField],
): string | null | undefined {
  const value = storedForm(name, patch);
  if (value == null) return initialOf(name);
  const isMerged = fieldOf(name).type === 'json' && before !== null;
  return isMerged ? applyMergePatch(before, value) : value;
}

/**
 * Validates the merged value, because a well-formed patch can still produce a value that is too large or has the wrong type.
 */
function problemsOf(name: PatchableField, text: string | null | undefined): FieldProblem[] {
  const { patchable } = fieldOf(name);
  if (!patchable || !patchable.problems || typeof text !== 'string') return [];
  return patchable.problems(parseObject(text));
}
