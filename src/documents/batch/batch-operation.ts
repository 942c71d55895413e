import { isObject } from '../../envelope/json-text.js';
import { operationProblems, type MemberCheck } from '../../envelope/operations.js';
import type { Preconditions } from '../../envelope/preconditions.js';
import type { FieldProblem } from '../../errors/app-error.js';
import { documentETag } from '../document.presenter.js';

/** Most operations of one batch. */
export const MAX_OPERATIONS = 100;

/** One operation of a batch; what it carries is judged when it is done. */
export type BatchOperation =
  | { op: 'create'; document: Record<string, unknown> }
  | { op: 'update'; id: string; patch: Record<string, unknown>; ifMatch?: SeenVersion }
  | { op: 'delete'; id: string; ifMatch?: SeenVersion };

/** As the header `If-Match`, or the number of the version: results of a batch show it, and no ETag. */
type SeenVersion = string | number;

/** What the document must still be, as a header says it. */
export function preconditionsOf({ ifMatch }: { ifMatch?: SeenVersion }): Preconditions {
  return { ifMatch: typeof ifMatch === 'number' ? documentETag({ version: ifMatch }) : ifMatch };
}

const isId: MemberCheck = (value) =>
  typeof value === 'string' ? undefined : 'must be the id of a document';
const isSeenVersion: MemberCheck = (value) =>
  value === undefined || typeof value === 'string' || isVersion(value)
    ? undefined
    : 'must be an ETag, such as "3" with its quotes, or the number of a version';
const isVersion = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
const isBody: MemberCheck = (value) => (isObject(value) ? undefined : 'must be an object');

const OPERATIONS = {
  field: 'operations',
  max: MAX_OPERATIONS,
  members: {
    create: { document: isBody },
    update: { id: isId, patch: isBody, ifMatch: isSeenVersion },
    delete: { id: isId, ifMatch: isSeenVersion },
  },
};

/** What is wrong with the form of a list of operations. */
export function batchProblems(value: unknown): FieldProblem[] {
  return operationProblems(value, OPERATIONS);
}
