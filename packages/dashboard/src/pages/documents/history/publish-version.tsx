import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import { showDone } from '../../../components/messages.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { versionTag, type Document } from '../document-types.js';

/** Asks before readers get the version that the URL names. */
export default function PublishVersion({ document: { id, version } }: { document: Document }) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const { of, close } = useDialogs();
  const number = Number(of);
  return (
    <ConfirmDialog
      title="Publish this version"
      scope="documents:write"
      run={() => {
        const params = { path: { id }, header: { 'If-Match': versionTag(version) } };
        return dataOf(
          api.POST('/v1/documents/{id}/publish', { params, body: { version: number } }),
        );
      }}
      onDone={async () => {
        showDone(`Published. Readers get version ${String(number)}.`);
        await close();
        await queryClient.invalidateQueries({ queryKey: [accountId, 'documents'] });
      }}
      onClose={close}
    >
      Readers get version {number}.
      {number < version && ' The document keeps its current text as unpublished changes.'}
    </ConfirmDialog>
  );
}
