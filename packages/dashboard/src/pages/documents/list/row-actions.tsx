import { Menu } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { asFailure } from '../../../api/failure.js';
import { useAccount } from '../../../api/session.js';
import { showDone, showFailure } from '../../../components/messages.js';
import { RowMenu } from '../../../components/row-menu.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { loadPart } from '../../../load-part.js';
import type { BulkAction } from '../bulk/bulk-actions.js';
import type { DocumentListItem } from '../document-types.js';
import { ExportItems } from '../export-items.js';

const RestoreDocument = lazy(() => loadPart(() => import('../../folders/restore-document.js')));

interface RowActionsProps {
  document: DocumentListItem;
  inTrash: boolean;
  /** False if there is no folder to move it to. */
  hasFolders: boolean;
  onAction: (action: BulkAction) => void;
}

/** The menu of a document in the list. */
export function RowActions({ document, inTrash, hasFolders, onAction }: RowActionsProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const writing = useAllowance('documents:write');
  const removing = useAllowance('documents:delete');
  const { id, title } = document;
  const [hasNoFolder, setHasNoFolder] = useState(false);
  const restore = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/documents/{id}/restore', { params: { path: { id } } })),
    onSuccess: async () => {
      showDone(`${title} restored.`);
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
    },
    onError: (error) => {
      if (asFailure(error).problemOf('collectionId') === undefined) showFailure(error);
      else setHasNoFolder(true);
    },
  });
  if (!inTrash) {
    return (
      <RowMenu name={title}>
        <Menu.Label>Export</Menu.Label>
        <ExportItems id={id} title={title} />
        <Menu.Divider />
        {hasFolders && (
          <Menu.Item
            onClick={() => {
              onAction({ kind: 'folder', to: undefined });
            }}
            {...writing}
          >
            Move to folder
          </Menu.Item>
        )}
        <Menu.Item
          color="red"
          onClick={() => {
            onAction({ kind: 'delete' });
          }}
          {...writing}
        >
          Delete document
        </Menu.Item>
      </RowMenu>
    );
  }
  return (
    <>
      <RowMenu name={title}>
        <Menu.Item
          onClick={() => {
            restore.mutate();
          }}
          {...writing}
        >
          Restore document
        </Menu.Item>
        <Menu.Item
          color="red"
          onClick={() => {
            onAction({ kind: 'delete-for-good' });
          }}
          {...removing}
        >
          Delete permanently
        </Menu.Item>
      </RowMenu>
      <Suspense fallback={null}>
        {hasNoFolder && (
          <RestoreDocument
            document={document}
            onClose={() => {
              setHasNoFolder(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
