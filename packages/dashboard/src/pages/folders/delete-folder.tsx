import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure, Failure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { Dialog, type CloseDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone } from '../../components/messages.js';
import { countOf, formatCount } from '../../components/numbers.js';
import { allMatching, batchSize, doStep, MOST_AT_ONCE } from '../documents/bulk/bulk-actions.js';
import { runInSteps } from '../documents/bulk/run-in-steps.js';
import type { Folder } from './folders.js';

const NOT_FINISHED = {
  title: 'Stop deleting?',
  sentence: 'Some documents are still in the folder. What is in the trash stays there.',
  stay: 'Continue',
  leave: 'Stop',
};

interface DeleteFolderProps {
  folder: Folder;
  onDeleted: () => void;
  onClose: CloseDialog;
}

/** Deletes a folder and the folders in it. Moves their documents to the trash first, in steps. */
export function DeleteFolder({ folder, onDeleted, onClose }: DeleteFolderProps) {
  const { id: accountId, api, plan } = useAccount();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const below = foldersBelow(folder);
  const remove = useMutation({
    mutationFn: async () => {
      const { signal } = (stop.current = new AbortController());
      const documents = await allMatching(api, { collection: folder.id }, signal);
      setProgress({ done: 0, total: documents.length });
      const results = await runInSteps({
        items: documents,
        size: batchSize(plan),
        step: (some) => doStep(api, { kind: 'delete' }, some),
        onProgress: ({ length }) => {
          setProgress({ done: length, total: documents.length });
        },
        signal,
      });
      if (signal.aborted) return false;
      const failed = results.find(({ problem }) => problem !== undefined);
      if (failed) throw new Failure(`${failed.item.title}: ${failed.problem ?? ''}`, 409);
      // The deepest first: a folder with folders in it cannot be deleted.
      for (const { id, name } of [...below, folder]) {
        try {
          await dataOf(api.DELETE('/v1/collections/{id}', { params: { path: { id } } }));
        } catch (error) {
          throw asFailure(error).status === 409 ? notEmpty(name, documents.length) : error;
        }
      }
      return true;
    },
    onSuccess: async (isDone) => {
      if (!isDone) return;
      showDone(`${folder.name} deleted.`);
      await onClose();
      onDeleted();
    },
    onSettled: async () => {
      setProgress(undefined);
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
    },
  });
  const { isPending } = remove;
  return (
    <Dialog
      title="Delete folder"
      isUnsaved={() => isPending}
      question={NOT_FINISHED}
      onClose={onClose}
    >
      {(close) => (
        <Stack>
          <Text size="sm">{sentenceOf(folder, below.length)}</Text>
          {progress && (
            <>
              <Progress
                value={progress.total === 0 ? 100 : (100 * progress.done) / progress.total}
                aria-label="Progress"
              />
              <Text size="sm" role="status">
                {formatCount(progress.done)} of {countOf(progress.total, 'document')} moved to the
                trash.
              </Text>
            </>
          )}
          {remove.error !== null && <FailureAlert error={remove.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              color="red"
              loading={isPending}
              onClick={() => {
                remove.mutate();
              }}
            >
              Delete folder
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

/** Returns the failure that explains why a folder is not empty after its documents moved to the trash. */
function notEmpty(name: string, removed: number): Failure {
  const sentence =
    removed === MOST_AT_ONCE
      ? `${countOf(removed, 'document')} moved to the trash, and “${name}” contains more. Delete it again.`
      : `“${name}” still contains something that you can't open. Ask an owner or admin to delete it.`;
  return new Failure(sentence, 409);
}

/** Returns the folders in a folder, the deepest first. */
function foldersBelow({ children }: Folder): Folder[] {
  return children.flatMap((child) => [...foldersBelow(child), child]);
}

function sentenceOf({ name, total }: Folder, below: number): string {
  const folders =
    below === 0 ? '' : ` and the ${below === 1 ? 'folder' : countOf(below, 'folder')} in it`;
  const documents =
    total === 0
      ? ''
      : ` ${countOf(total, 'document')} will move to the trash. You can restore them for 30 days.`;
  return `“${name}”${folders} will be deleted.${documents}`;
}
