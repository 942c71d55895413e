import { allPages, LARGEST_PAGE } from '../../../api/all-pages.js';
import { bodyOf, dataOf, type V1Client } from '../../../api/client.js';
import type { Plan } from '../../../api/people.js';
import type { components } from '../../../api/v1-schema.js';
import { MOVES, tagsOf, type DocumentListItem, type StatusMove } from '../document-types.js';
import { queryOf, type DocumentFilters } from '../list-query.js';
import { refusalMessage } from '../publishing/refusal.js';

type Operation = components['schemas']['Batch']['operations'][number];

/** Actions for many documents. */
export type BulkAction =
  | { kind: 'delete' }
  | { kind: 'restore' }
  | { kind: 'delete-for-good' }
  | { kind: 'move'; to: StatusMove }
  /** Instead of the move to `published`, while publishing is on. */
  | { kind: 'publish' }
  | { kind: 'add-tag'; tag: string }
  /** Undefined until a folder is chosen. Null is no folder. */
  | { kind: 'folder'; to: string | null | undefined };

/** All transitions of any status, for documents with different statuses. */
const MOVES_OF_ALL: readonly StatusMove[] = [...MOVES.draft, ...MOVES.archived];

export const ACTIONS_IN_USE: readonly BulkAction[] = [
  ...MOVES_OF_ALL.map((to) => ({ kind: 'move' as const, to })),
  { kind: 'add-tag', tag: '' },
  { kind: 'folder', to: undefined },
  { kind: 'delete' },
];
export const ACTIONS_IN_TRASH: readonly BulkAction[] = [
  { kind: 'restore' },
  { kind: 'delete-for-good' },
];

/** Name of the action's dialog in the URL. */
export function dialogName(action: BulkAction): string {
  return action.kind === 'move' ? `move-to-${action.to.to}` : action.kind;
}

const MOVE_NAMES: Readonly<Record<StatusMove['to'], string>> = {
  archived: 'Archive documents',
  draft: 'Return to draft',
  in_review: 'Request review',
  published: 'Publish documents',
};

/** Maximum number of documents per run. */
export const MOST_AT_ONCE = 10_000;
/**
 * Operations per request. Each counts as a change, and a request that exceeds the limit of the plan changes nothing. A third
 * of the changes per minute leaves room for other changes in the same minute. The API accepts at most 100.
 */
const BATCH_SIZES: Readonly<Record<Plan, number>> = {
  free: 10,
  plus: 20,
  pro: 40,
  enterprise: 100,
};

/** Title of the dialog and label of its buttons. */
export function actionName(action: BulkAction): string {
  switch (action.kind) {
    case 'delete':
      return 'Delete documents';
    case 'restore':
      return 'Restore documents';
    case 'delete-for-good':
      return 'Delete permanently';
    case 'move':
      return MOVE_NAMES[action.to.to];
    case 'publish':
      return MOVE_NAMES.published;
    case 'add-tag':
      return 'Add tag';
    case 'folder':
      return 'Move to folder';
  }
}

/** Loads all matching documents, up to {@link MOST_AT_ONCE}, before the action, which may change what matches. */
export function allMatching(
  api: V1Client,
  filters: DocumentFilters,
  signal: AbortSignal,
): Promise<DocumentListItem[]> {
  return allPages(
    (cursor) => {
      const query = {
        ...queryOf(filters),
        limit: LARGEST_PAGE,
        sort: 'created_at' as const,
        cursor,
      };
      return bodyOf(api.GET('/v1/documents', { params: { query }, signal }));
    },
    { most: MOST_AT_ONCE },
  );
}

const FOLDER_DELETED =
  'Its folder was deleted. Restore it with its own menu to choose another one.';

/** Returns the number of documents per request. */
export function batchSize(plan: Plan): number {
  return BATCH_SIZES[plan];
}

/** Sends changes of documents in one request. Returns the error of each, in order. */
export async function sendBatch(api: V1Client, operations: Operation[]) {
  const body = { operations, atomic: false };
  const { results } = await dataOf(api.POST('/v1/documents/batch', { body }));
  return results.map(({ error }) => error);
}

/** Changes documents with one request. Returns for each document why it was not changed, or undefined. */
export async function doStep(
  api: V1Client,
  action: BulkAction,
  documents: readonly DocumentListItem[],
): Promise<(string | undefined)[]> {
  const operations = documents.map((document) => operationOf(action, document));
  const sent = operations.filter((operation) => typeof operation !== 'string');
  const outcomes = (sent.length === 0 ? [] : await sendBatch(api, sent)).values();
  return operations.map((operation) => {
    if (typeof operation === 'string') return operation === '' ? undefined : operation;
    const error = outcomes.next().value;
    return action.kind === 'restore' && error?.details?.field === 'collectionId'
      ? FOLDER_DELETED
      : ((error?.details && refusalMessage(error.details)) ?? error?.message);
  });
}

/** Returns the operation, or the reason why there is none; '' if there is nothing to do. */
function operationOf(action: BulkAction, document: DocumentListItem): Operation | string {
  const { id, status, version } = document;
  switch (action.kind) {
    case 'delete':
      return { op: 'delete', id };
    case 'restore':
      return { op: 'restore', id };
    case 'delete-for-good':
      // Prevents deleting a document that somebody restored and changed after it was listed.
      return { op: 'delete', id, permanent: true, ifMatch: version };
    case 'move':
      if (status === action.to.to) return '';
      if (!MOVES[status].some(({ to }) => to === action.to.to)) return notPossible(status);
      return { op: 'update', id, patch: { status: action.to.to } };
    case 'publish':
      return publicationOf(document);
    case 'folder':
      if (action.to === undefined || document.collectionId === action.to) return '';
      return { op: 'update', id, patch: { collectionId: action.to } };
    case 'add-tag': {
      const tags = tagsOf(document);
      if (tags.includes(action.tag)) return '';
      // Keeps a tag that somebody else adds in the meantime.
      const patch = { metadata: { tags: [...tags, action.tag] } };
      return { op: 'update', id, patch, ifMatch: version };
    }
  }
}

function publicationOf({ id, status, published }: DocumentListItem): Operation | string {
  if (published?.changed === false) return '';
  return status === 'archived' ? notPossible(status) : { op: 'publish', id };
}

function notPossible(status: string): string {
  return `Not possible from the status ${status.replace('_', ' ')}.`;
}
