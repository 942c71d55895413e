import { isObject } from '../../../platform/http/bodies/json-text.js';
import {
  operationListProblems,
  operationProblems,
  problemsOfOperation,
  type MemberCheck,
} from '../../../platform/http/envelope/operations.js';
import type { Preconditions } from '../../../platform/http/envelope/preconditions.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { decodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { documentETag } from '../document.presenter.js';

/** Maximum number of operations in one batch. */
export const MAX_OPERATIONS = 100;

/** One operation of a batch. Its document or patch is validated when the operation runs. */
export type BatchOperation =
  | { op: 'create'; document: Record<string, unknown> }
  | { op: 'update'; id: string; patch: Record<string, unknown>; ifMatch?: SeenVersion }
  | {
      op: 'upsert';
      externalId: string;
      document: Record<string, unknown>;
      ifMatch?: SeenVersion;
    }
  | {
      op: 'delete';
      id: string;
      ifMatch?: SeenVersion;
      /** True to delete the document permanently, even from the trash. */
      permanent?: boolean;
    }
  | { op: 'restore'; id: string; collectionId?: string | null; ifMatch?: SeenVersion }
  | { op: 'publish'; id: string; version?: number; ifMatch?: SeenVersion }
  | { op: 'unpublish'; id: string; ifMatch?: SeenVersion };

/** An operation with a missing, unknown or invalid member. It fails without running. */
interface MalformedOperation {
  op: BatchOperation['op'] | typeof UNKNOWN_OPERATION;
  /** The sent value, not yet validated. */
  id: unknown;
  /** The paths start in the operation. */
  problems: [FieldProblem, ...FieldProblem[]];
}

export type AnyOperation = BatchOperation | MalformedOperation;

/** `op` in the result of an operation whose own `op` is missing or unknown. */
export const UNKNOWN_OPERATION = 'unknown';

/** An ETag as in the `If-Match` header, or a version number, because batch results contain no ETag. */
type SeenVersion = string | number;

/** Returns the preconditions of an operation. */
export function preconditionsOf({ ifMatch }: { ifMatch?: SeenVersion }): Preconditions {
  return { ifMatch: typeof ifMatch === 'number' ? documentETag({ version: ifMatch }) : ifMatch };
}

const isId: MemberCheck = (value) =>
  typeof value === 'string' ? undefined : 'must be the id of a document';
const isExternalId: MemberCheck = (value) =>
  typeof value === 'string' ? undefined : 'must be your own id of the document';
const isSeenVersion: MemberCheck = (value) =>
  value === undefined || typeof value === 'string' || isVersion(value)
    ? undefined
    : 'must be an ETag, such as "3" with its quotes, or the number of a version';
const isVersion = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
const isCollectionId: MemberCheck = (value) =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : 'must be the id of a collection, or null';
const isVersionNumber: MemberCheck = (value) =>
  value === undefined || isVersion(value) ? undefined : 'must be the number of a version';
const isFlag: MemberCheck = (value) =>
  value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false';
const isBody: MemberCheck = (value) => (isObject(value) ? undefined : 'must be an object');

const OPERATIONS = {
  field: 'operations',
  max: MAX_OPERATIONS,
  members: {
    create: { document: isBody },
    update: { id: isId, patch: isBody, ifMatch: isSeenVersion },
    upsert: { externalId: isExternalId, document: isBody, ifMatch: isSeenVersion },
    delete: { id: isId, ifMatch: isSeenVersion, permanent: isFlag },
    restore: { id: isId, collectionId: isCollectionId, ifMatch: isSeenVersion },
    publish: { id: isId, version: isVersionNumber, ifMatch: isSeenVersion },
    unpublish: { id: isId, ifMatch: isSeenVersion },
  },
};

/** Returns the problems that refuse a whole batch: those of its list, and if it is atomic, those of each operation. */
export function batchProblems(value: unknown, atomic: unknown): FieldProblem[] {
  const isAtomic = atomic !== undefined && atomic !== false;
  return isAtomic ? operationProblems(value, OPERATIONS) : operationListProblems(value, OPERATIONS);
}

/** Returns the operation that an item of `operations` describes. */
export function operationOf(value: unknown): AnyOperation {
  const [first, ...rest] = problemsOfOperation(value, OPERATIONS);
  if (!first) return value as BatchOperation;
  const { op, id } = isObject(value) ? value : {};
  return { op: isKnown(op) ? op : UNKNOWN_OPERATION, id, problems: [first, ...rest] };
}

export function isMalformed(operation: AnyOperation): operation is MalformedOperation {
  return 'problems' in operation;
}

function isKnown(op: unknown): op is BatchOperation['op'] {
  return typeof op === 'string' && Object.hasOwn(OPERATIONS.members, op);
}

/** Returns the external ids that operations set or refer to. */
export function externalIdsOf(operations: readonly AnyOperation[]): string[] {
  return operations.flatMap((operation) => externalIdOf(operation) ?? []);
}

/**
 * Returns the keys on which operations must run in order: the document, and the external id that is set or referred to.
 * `holders` maps external ids to the UUIDs of their documents; an external id that the operation sets is added.
 */
export function subjectsOf(operation: AnyOperation, holders: Map<string, string>): string[] {
  const externalId = externalIdOf(operation);
  const uuid = documentIdOf(operation);
  const holder = externalId === undefined ? undefined : holders.get(externalId);
  if (uuid !== undefined && externalId !== undefined) holders.set(externalId, uuid);
  return [
    ...(uuid === undefined ? [] : [`document ${uuid}`]),
    ...(holder === undefined ? [] : [`document ${holder}`]),
    ...(externalId === undefined ? [] : [`external id ${externalId}`]),
  ];
}

/** Returns the UUID in the operation, if it will run. */
export function documentIdOf(operation: AnyOperation): string | undefined {
  if (isMalformed(operation) || !('id' in operation)) return undefined;
  return decodeId('document', operation.id);
}

function externalIdOf(operation: AnyOperation): string | undefined {
  if (isMalformed(operation)) return undefined;
  if (operation.op === 'upsert') return operation.externalId;
  if (operation.op !== 'create' && operation.op !== 'update') return undefined;
  const { externalId } = operation.op === 'create' ? operation.document : operation.patch;
  return typeof externalId === 'string' ? externalId : undefined;
}
