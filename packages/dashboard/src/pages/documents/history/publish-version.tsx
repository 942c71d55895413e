import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { showDone } from '../../../components/messages.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import type { Document } from '../document-types.js';
import { PublishDialog } from '../publishing/publish-dialog.js';
import { paramsOf } from '../publishing/publish.js';

/** Asks before readers get the version that the URL names. */
export default function PublishVersion({ document }: { document: Document }) {
  const { id, version } = document;
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const { of, close } = useDialogs();
  const number = Number(of);
  return (
    <PublishDialog
      title="Publish this version"
      submit="Publish this version"
      document={document}
      version={number}
      publish={(override) => {
        const params = paramsOf(id, version);
        const body = { version: number, ...(override && { override }) };
        return dataOf(api.POST('/v1/documents/{id}/publish', { params, body }));
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
    </PublishDialog>
  );
}
