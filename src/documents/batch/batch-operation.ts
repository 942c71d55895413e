import { isObject } from '../../envelope/json-text.js';
import { operationProblems, type MemberCheck } from '../../envelope/operations.js';
import type { FieldProblem } from '../../errors/app-error.js';

/** Most operations of one batch. */
export const MAX_OPERATIONS = 100;

/** One operation of a batch; what it carries is judged when it is done. */
export type BatchOperation =
  | { op: 'create'; document: Record<string, unknown> }
  | { op: 'update'; id: string; patch: Record<string, unknown>; ifMatch?: string }
  | { op: 'delete'; id: string; ifMatch?: string };

const isId: MemberCheck = (value) =>
  typeof value === 'string' ? undefined : 'must be the id of a document';
const isTag: MemberCheck = (value) =>
  value === undefined || typeof value === 'string' ? undefined : 'must be an ETag, such as "3"';
const isBody: MemberCheck = (value) => (isObject(value) ? undefined : 'must be an object');

const OPERATIONS = {
  field: 'operations',
  max: MAX_OPERATIONS,
  members: {
    create: { document: isBody },
    update: { id: isId, patch: isBody, ifMatch: isTag },
    delete: { id: isId, ifMatch: isTag },
  },
};

/** What is wrong with the form of a list of operations. */
export function batchProblems(value: unknown): FieldProblem[] {
  return operationProblems(value, OPERATIONS);
}
