import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { asFailure, Failure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { showDone, showNotice } from '../../components/messages.js';
import { countOf } from '../../components/numbers.js';
import { showUndo } from '../../components/undo-message.js';
import { batchSize, sendBatch } from '../documents/bulk/bulk-actions.js';
import { runInSteps } from '../documents/bulk/run-in-steps.js';
import { versionTag } from '../documents/document-types.js';
import type { Folder, Folders } from './folders.js';

/** The parts of a document that a move needs. */
export interface MovedDocument {
  id: string;
  title: string;
  collectionId?: string | null | undefined;
}

/** What is moved: documents or a folder. */
export type Moved =
  { kind: 'documents'; documents: readonly MovedDocument[] } | { kind: 'folder'; folder: Folder };

/** Returns the places whose access applies before the move. Empty for a folder with its own access, which keeps it. */
export function placesOf(moved: Moved): (string | null)[] {
  if (moved.kind === 'documents') {
    return moved.documents.map(({ collectionId = null }) => collectionId);
  }
  return moved.folder.isRestricted ? [] : [moved.folder.parentId];
}

interface Step {
  document: MovedDocument;
  to: string | null;
}

/** Returns a function that moves documents or a folder, and offers to undo it. */
export function useMove(folders: Folders) {
  const { id: accountId, api, plan } = useAccount();
  const queryClient = useQueryClient();
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
  const nameOf = (id: string | null) => (id === null ? undefined : folders.byId.get(id)?.name);
  const placed = (id: string | null) => {
    const name = nameOf(id);
    return name === undefined ? 'out of its folder' : `to ${name}`;
  };

  const offerUndo = (sentence: string, undo: () => Promise<unknown>) => {
    showUndo(sentence, () => {
      void undo().then(
        () => {
          showDone('Moved back.');
        },
        (error: unknown) => {
          showNotice(asFailure(error).message);
        },
      );
    });
  };

  /** Returns the steps that succeeded. Throws if all failed. */
  const run = async (steps: readonly Step[]): Promise<Step[]> => {
    const results = await runInSteps({
      items: steps,
      size: batchSize(plan),
      step: async (some) => {
        const operations = some.map(({ document: { id }, to }) => ({
          op: 'update' as const,
          id,
          patch: { collectionId: to },
        }));
        const errors = await sendBatch(api, operations);
        return errors.map((error) => error?.message);
      },
      signal: new AbortController().signal,
    });
    await refresh();
    const failed = results.filter(({ problem }) => problem !== undefined);
    const [first] = failed;
    if (first && failed.length === results.length) throw new Failure(first.problem ?? '', 409);
    if (first) {
      showNotice(
        `${countOf(failed.length, 'document')} couldn't be moved. ${first.item.document.title}: ${first.problem ?? ''}`,
      );
    }
    return results.filter(({ problem }) => problem === undefined).map(({ item }) => item);
  };

  const moveDocuments = async (documents: readonly MovedDocument[], to: string | null) => {
    const steps = documents
      .filter(({ collectionId = null }) => collectionId !== to)
      .map((document) => ({ document, to }));
    const [only] = steps;
    if (!only) return;
    const done = await run(steps);
    const what = steps.length === 1 ? only.document.title : countOf(done.length, 'document');
    const where = to === null && steps.length > 1 ? 'out of their folders' : placed(to);
    offerUndo(`${what} moved ${where}.`, () =>
      run(done.map(({ document }) => ({ document, to: document.collectionId ?? null }))),
    );
  };

  const moveFolder = async ({ id, name, version, parentId }: Folder, to: string | null) => {
    const patch = (parent: string | null, ofVersion: number) =>
      dataOf(
        api.PATCH('/v1/collections/{id}', {
          params: { path: { id }, header: { 'If-Match': versionTag(ofVersion) } },
          body: { parentId: parent },
        }),
      );
    const moved = await patch(to, version);
    await refresh();
    const where = to === null ? 'to the top' : `to ${nameOf(to) ?? ''}`;
    offerUndo(`${name} moved ${where}.`, async () => {
      await patch(parentId, moved.version);
      await refresh();
    });
  };
  return (moved: Moved, to: string | null) =>
    moved.kind === 'folder' ? moveFolder(moved.folder, to) : moveDocuments(moved.documents, to);
}
