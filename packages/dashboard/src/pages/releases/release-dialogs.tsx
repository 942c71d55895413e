import { dataOf, type V1Client } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { ReleaseForm } from './release-form.js';
import { useRelease, useReleasesRefresh, type Release } from './releases.js';

interface Question {
  title: string;
  sentence: string;
  send: (api: V1Client, params: { path: { id: string } }) => Promise<unknown>;
}

/** What is asked before a release ends, by the name of the dialog in the URL. */
const QUESTIONS: Partial<Record<string, Question>> = {
  'publish-release': {
    title: 'Publish now',
    sentence:
      'All documents of this release change for readers at once. If one of them is refused, nothing changes.',
    send: (api, params) => dataOf(api.POST('/v1/releases/{id}/publish', { params })),
  },
  'cancel-release': {
    title: 'Cancel release',
    sentence: 'This release is not published. Its documents stay as they are.',
    send: (api, params) => dataOf(api.POST('/v1/releases/{id}/cancel', { params })),
  },
  'delete-release': {
    title: 'Delete release',
    sentence:
      'This release is removed, and not published any more. Its documents stay as they are.',
    send: (api, params) => dataOf(api.DELETE('/v1/releases/{id}', { params })),
  },
};

/** The dialog of the releases page that the URL names. */
export function ReleaseDialogs() {
  const { api } = useAccount();
  const { dialog = '', of, close } = useDialogs();
  const [, change] = useSearchState();
  const refresh = useReleasesRefresh();
  const { data: release } = useRelease(of);
  if (dialog === 'create-release') {
    const onCreated = async ({ id }: Release) => {
      await close();
      change({ open: id });
    };
    return <ReleaseForm onDone={onCreated} onClose={close} />;
  }
  if (!release) return null;
  if (dialog === 'edit-release') {
    return <ReleaseForm release={release} onDone={() => close()} onClose={close} />;
  }
  const question = QUESTIONS[dialog];
  if (!question) return null;
  const { title, sentence, send } = question;
  const isDeletion = dialog === 'delete-release';
  return (
    <ConfirmDialog
      title={title}
      scope="documents:write"
      isDangerous={isDeletion}
      // After a refusal, the panel shows what keeps each document from being published.
      run={() => send(api, { path: { id: release.id } }).finally(refresh)}
      onDone={async () => {
        await close();
        if (isDeletion) change({ open: undefined });
      }}
      onClose={close}
    >
      {sentence}
    </ConfirmDialog>
  );
}
