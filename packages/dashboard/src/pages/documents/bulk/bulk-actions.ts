import { bodyOf, dataOf, type V1Client } from '../../../api/client.js';
import { asFailure } from '../../../api/failure.js';
import type { components } from '../../../api/v1-schema.js';
import {
  MOVES,
  tagsOf,
  versionTag,
  type DocumentListItem,
  type StatusMove,
} from '../document-types.js';
import { queryOf, type DocumentFilters } from '../list-query.js';

type Operation = components['schemas']['Batch']['operations'][number];

/** What can be done with many documents at once. */
export type BulkAction =
  | { kind: 'delete' }
  | { kind: 'restore' }
  | { kind: 'delete-for-good' }
  | { kind: 'move'; to: StatusMove }
  | { kind: 'add-tag'; tag: string };

/** Every move that some status has, for a selection of documents in several. */
const MOVES_OF_ALL: readonly StatusMove[] = [...MOVES.draft, ...MOVES.archived];

export const ACTIONS_IN_USE: readonly BulkAction[] = [
  ...MOVES_OF_ALL.map((to) => ({ kind: 'move' as const, to })),
  { kind: 'add-tag', tag: '' },
  { kind: 'delete' },
];
export const ACTIONS_IN_TRASH: readonly BulkAction[] = [
  { kind: 'restore' },
  { kind: 'delete-for-good' },
];

/** The name of the action's dialog in the address bar. */
export function dialogName(action: BulkAction): string {
  return action.kind === 'move' ? `move-to-${action.to.to}` : action.kind;
}

const MOVE_NAMES: Readonly<Record<StatusMove['to'], string>> = {
  archived: 'Archive documents',
  draft: 'Return to draft',
  in_review: 'Request review',
  published: 'Publish documents',
};

/** The most documents that one run takes. */
export const MOST_AT_ONCE = 10_000;
/** Documents of a page. */
const PAGE = 100;
/** Operations of a request: each counts as a change, of which the plan Free allows 30 a minute. */
const BATCH = 10;

/** Name of the dialog and its buttons. */
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
    case 'add-tag':
      return 'Add tag';
  }
}

/** All documents that match, up to {@link MOST_AT_ONCE}: what is done to them may change what matches. */
export async function allMatching(
  api: V1Client,
  filters: DocumentFilters,
  signal: AbortSignal,
): Promise<DocumentListItem[]> {
  const found: DocumentListItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await bodyOf(
      api.GET('/v1/documents', {
        params: {
          query: {
            ...queryOf(filters),
            limit: PAGE,
            sort: 'created_at',
            ...(cursor !== undefined && { cursor }),
          },
        },
        signal,
      }),
    );
    found.push(...page.data);
    cursor = page.meta.pagination.nextCursor ?? undefined;
  } while (cursor !== undefined && found.length < MOST_AT_ONCE);
  return found.slice(0, MOST_AT_ONCE);
}

/** How many documents a step of the action takes. The trash knows no batch. */
export function stepSize({ kind }: BulkAction): number {
  return kind === 'restore' || kind === 'delete-for-good' ? 1 : BATCH;
}

/** Does a step; says of each document why it was not done. */
export async function doStep(
  api: V1Client,
  action: BulkAction,
  documents: readonly DocumentListItem[],
): Promise<(string | undefined)[]> {
  const { kind } = action;
  if (kind === 'restore' || kind === 'delete-for-good') {
    return Promise.all(documents.map((document) => doAlone(api, kind, document)));
  }
  const operations = documents.map((document) => operationOf(action, document));
  const sent = operations.filter((operation) => typeof operation !== 'string');
  const { results } =
    sent.length === 0
      ? { results: [] }
      : await dataOf(
          api.POST('/v1/documents/batch', { body: { operations: sent, atomic: false } }),
        );
  const answers = results.values();
  return operations.map((operation) => {
    if (typeof operation === 'string') return operation === '' ? undefined : operation;
    return answers.next().value?.error?.message;
  });
}

/** The operation, or why there is none; '' when there is nothing to do. */
function operationOf(action: BulkAction, document: DocumentListItem): Operation | string {
  const { id, status, version } = document;
  if (action.kind === 'move') {
    if (status === action.to.to) return '';
    if (!MOVES[status].some(({ to }) => to === action.to.to)) {
      return `Not possible from the status ${status.replace('_', ' ')}.`;
    }
    return { op: 'update', id, patch: { status: action.to.to } };
  }
  if (action.kind === 'add-tag') {
    const tags = tagsOf(document);
    if (tags.includes(action.tag)) return '';
    // A tag that somebody else adds meanwhile must not be lost.
    return {
      op: 'update',
      id,
      patch: { metadata: { tags: [...tags, action.tag] } },
      ifMatch: version,
    };
  }
  return { op: 'delete', id };
}

async function doAlone(
  api: V1Client,
  kind: 'restore' | 'delete-for-good',
  { id, version }: DocumentListItem,
): Promise<string | undefined> {
  const path = { id };
  try {
    if (kind === 'restore') await api.POST('/v1/documents/{id}/restore', { params: { path } });
    else {
      await api.DELETE('/v1/documents/{id}', {
        params: { path, query: { permanent: true }, header: { 'If-Match': versionTag(version) } },
      });
    }
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    if (failure.isAway || failure.status === 429) throw failure;
    return failure.message;
  }
}
