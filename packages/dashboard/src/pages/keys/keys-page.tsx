import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../api/failure.js';
import { keysQuery, type ApiKey } from '../../api/keys.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Page } from '../../components/page.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { SidePanel } from '../../components/side-panel.js';
import { useNow } from '../../components/time.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { CreateKey } from './create-key.js';
import { EditKey } from './edit-key.js';
import { KeyPanel } from './key-panel.js';
import { keyState } from './key-state.js';
import { KeysTable } from './keys-table.js';
import { RevokeKey } from './revoke-key.js';
import { RotateKey } from './rotate-key.js';

export function KeysPage() {
  const { id, api } = useAccount();
  const [state, change] = useSearchState();
  const keys = useQuery({ ...keysQuery(id, api), refetchInterval: every(30_000) as never });
  const dialogs = useDialogs();
  const now = useNow();
  const inForce = keys.data?.filter((key) => keyState(key, now) === 'active');
  const ended = keys.data?.filter((key) => keyState(key, now) !== 'active');
  const isEmpty = inForce?.length === 0 && state.tab !== 'ended';
  const opened = keys.data?.find((key) => key.id === state.open);
  const create = (
    <ScopedButton
      scope="keys:write"
      onClick={() => {
        dialogs.open('create-key');
      }}
    >
      Create key
    </ScopedButton>
  );
  const table = {
    error: keys.error,
    onRetry: () => void keys.refetch(),
    onEdit: (apiKey: ApiKey) => {
      dialogs.open('edit-key', apiKey.id);
    },
    onRotate: (apiKey: ApiKey) => {
      dialogs.open('rotate-key', apiKey.id);
    },
    onRevoke: (apiKey: ApiKey) => {
      dialogs.open('revoke-key', apiKey.id);
    },
  };
  const none = {
    sentence: 'No API keys yet. Create a key to use the API.',
    action: create,
  };
  return (
    <Page
      title="API keys"
      sentence="Give your apps access to the API."
      // In an empty list, the button is in the middle of the page.
      actions={!isEmpty && create}
    >
      <AddressTabs
        label="Keys"
        name="tab"
        tabs={[
          {
            value: 'in-force',
            title: 'Active',
            panel: () => <KeysTable {...table} keys={inForce} ended={false} empty={none} />,
          },
          {
            value: 'ended',
            title: 'Inactive',
            panel: () => (
              <KeysTable
                {...table}
                keys={ended}
                ended
                empty={{ sentence: 'No expired or revoked keys.' }}
              />
            ),
          },
        ]}
      />
      {keys.data && state.open !== undefined && !opened && (
        <SidePanel
          title="API key"
          onClose={() => {
            change({ open: undefined });
          }}
        >
          <FailureAlert error={new Failure('API key not found. Check the ID in the URL.', 404)} />
        </SidePanel>
      )}
      {opened && (
        <KeyPanel
          apiKey={opened}
          onEdit={() => {
            table.onEdit(opened);
          }}
          onRotate={() => {
            table.onRotate(opened);
          }}
          onRevoke={() => {
            table.onRevoke(opened);
          }}
          onClose={() => {
            change({ open: undefined });
          }}
        />
      )}
      <Dialogs keys={keys.data} />
    </Page>
  );
}

/** The dialog in the address bar. */
function Dialogs({ keys }: { keys: readonly ApiKey[] | undefined }) {
  const { dialog, of, close } = useDialogs();
  const apiKey = keys?.find(({ id }) => id === of);
  if (dialog === 'create-key') return <CreateKey onClose={close} />;
  if (!apiKey) return null;
  switch (dialog) {
    case 'edit-key':
      return <EditKey apiKey={apiKey} onClose={close} />;
    case 'rotate-key':
      return <RotateKey apiKey={apiKey} onClose={close} />;
    case 'revoke-key':
      return <RevokeKey apiKey={apiKey} onClose={close} />;
    default:
      return null;
  }
}
