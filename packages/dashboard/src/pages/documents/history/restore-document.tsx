import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { RestoreVersion } from '../../../components/confirm-dialog.js';
import type { CloseDialog } from '../../../components/dialog.js';
import { showDone } from '../../../components/messages.js';

interface RestoreDocumentProps {
  documentId: string;
  number: number;
  onClose: CloseDialog;
}

/** Asks for confirmation, then restores a version of a document. */
export function RestoreDocument({ documentId, number, onClose }: RestoreDocumentProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const path = { id: documentId, number };
  return (
    <RestoreVersion
      number={number}
      scope="documents:write"
      keptIn="History"
      restore={async () => {
        const route = '/v1/documents/{id}/versions/{number}/restore';
        return (await dataOf(api.POST(route, { params: { path } }))).version;
      }}
      onDone={async (version) => {
        showDone(`Version ${String(number)} restored as version ${String(version)}.`);
        await onClose();
        await queryClient.invalidateQueries({ queryKey: [accountId, 'documents'] });
      }}
      onClose={onClose}
    />
  );
}
