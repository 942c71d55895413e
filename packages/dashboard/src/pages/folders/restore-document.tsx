import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import TargetFolder from './target-folder.js';
import type { MovedDocument } from './use-move.js';

interface RestoreDocumentProps {
  document: MovedDocument;
  onClose: CloseDialog;
}

/** Restores a document whose folder was deleted to another place, which the person chooses. */
export default function RestoreDocument({ document, onClose }: RestoreDocumentProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const [to, setTo] = useState<string | null>();
  const restore = useMutation({
    mutationFn: (collectionId: string | null) => {
      const params = { path: { id: document.id } };
      return dataOf(api.POST('/v1/documents/{id}/restore', { params, body: { collectionId } }));
    },
    onSuccess: async () => {
      showDone(`${document.title} restored.`);
      await onClose();
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
    },
  });
  return (
    <FormDialog
      title="Restore document"
      submit="Restore document"
      submission={restore}
      disabled={to === undefined}
      isUnsaved={() => false}
      onSubmit={() => {
        if (to !== undefined) restore.mutate(to);
      }}
      onClose={onClose}
    >
      <Text size="sm">
        The folder of “{document.title}” was deleted. Choose where to restore the document.
      </Text>
      <TargetFolder documents={[document]} what="it" value={to} onChange={setTo} />
    </FormDialog>
  );
}
