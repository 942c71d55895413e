import { dataOf, type V1Client } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import { showDone } from '../../../components/messages.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import type { Document } from '../document-types.js';
import type { DocumentSession } from '../editor/document-session.js';
import { PublishDialog } from './publish-dialog.js';
import { changePublication, usePublish, type paramsOf } from './publish.js';

interface Question {
  title: string;
  sentence: string;
  done: string;
  send: (api: V1Client, params: ReturnType<typeof paramsOf>) => Promise<Document>;
}

/** What is asked before the publication of a document changes, by the name of the dialog in the URL. */
const QUESTIONS: Partial<Record<string, Question>> = {
  discard: {
    title: 'Discard changes',
    sentence:
      'The document gets back the text and metadata that readers see. Your changes stay in History.',
    done: 'Changes discarded.',
    send: (api, params) => dataOf(api.POST('/v1/documents/{id}/discard', { params })),
  },
  unpublish: {
    title: 'Unpublish',
    sentence: 'Readers no longer get this document. It becomes a draft and keeps its current text.',
    done: 'Unpublished. Readers no longer get this document.',
    send: (api, params) => dataOf(api.POST('/v1/documents/{id}/unpublish', { params })),
  },
  archive: {
    title: 'Archive',
    sentence: 'Readers no longer get this document. You can return it to draft at any time.',
    done: 'Archived. Readers no longer get this document.',
    send: (api, params) =>
      dataOf(api.PATCH('/v1/documents/{id}', { params, body: { status: 'archived' } })),
  },
};

interface PublishingDialogProps {
  document: Document;
  session: DocumentSession;
}

/** Shows what keeps the document from readers, and asks before they lose it or the person loses changes. */
export function PublishingDialog({ document, session }: PublishingDialogProps) {
  const { api } = useAccount();
  const { dialog = '', close } = useDialogs();
  const publish = usePublish(session);
  if (dialog === 'checks') {
    return (
      <PublishDialog
        title="Publication checks"
        submit="Publish"
        document={document}
        save={() => session.autosave.save()}
        publish={publish.mutateAsync}
        onDone={() => close()}
        onClose={close}
      >
        Publishing makes the current text the version that readers get.
      </PublishDialog>
    );
  }
  const question = QUESTIONS[dialog];
  if (!question || !document.published) return null;
  const { title, sentence, done, send } = question;
  return (
    <ConfirmDialog
      title={title}
      scope="documents:write"
      run={() => changePublication(session, (params) => send(api, params))}
      onDone={async () => {
        showDone(done);
        await close();
      }}
      onClose={close}
    >
      {sentence}
    </ConfirmDialog>
  );
}
