import { useQuery } from '@tanstack/react-query';
import { keyPageQuery, keyQuery, type ApiKey, type KeyFilter } from '../../api/keys.js';
import { every } from '../../api/queries.js';
import { useServiceAccounts } from '../../api/service-accounts.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Icon } from '../../components/icons.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, pageOf } from '../../components/pager.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { SidePanel } from '../../components/side-panel.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { ConnectedAppsTab } from './connected-apps-tab.js';
import { CreateKey } from './create-key.js';
import { DeleteServiceAccount } from './delete-service-account.js';
import { EditKey } from './edit-key.js';
import { KeyPanel } from './key-panel.js';
import { KeysTable } from './keys-table.js';
import { RevokeKey } from './revoke-key.js';
import { RotateKey } from './rotate-key.js';
import { SCOPES } from './scope-groups.js';
import { ServiceAccountForm } from './service-account-form.js';
import { ServiceAccountsTab } from './service-accounts-tab.js';

export function KeysPage() {
  const { id, api } = useAccount();
  const [state, change] = useSearchState();
  const isOfServices = state.tab === 'service-accounts';
  const asked = { ...filterOf(state.tab), page: pageOf(state), limit: PAGE_SIZE };
  const keys = useQuery({
    ...keyPageQuery(id, api, asked),
    enabled: !isOfServices,
    refetchInterval: every(30_000) as never,
  });
  const services = useServiceAccounts();
  const dialogs = useDialogs();
  const isEmpty = isOfServices
    ? services?.length === 0
    : state.tab === undefined && keys.data?.meta.pagination.total === 0;
  const { data: opened, error: openError } = useKey(state.open, keys.data?.data);
  const create = (
    <ScopedButton
      leftSection={<Icon name="add" />}
      scope="keys:write"
      onClick={() => {
        dialogs.open('create-key');
      }}
    >
      Create key
    </ScopedButton>
  );
  const createService = (
    <ScopedButton
      leftSection={<Icon name="add" />}
      scope="keys:write"
      onClick={() => {
        dialogs.open('create-service-account');
      }}
    >
      Create service account
    </ScopedButton>
  );
  const table = {
    keys: keys.data?.data,
    pagination: keys.data?.meta.pagination,
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
    sentence: 'No API keys yet. Each key appears here with its scopes, last use and expiry.',
    action: create,
  };
  return (
    <Page
      title="API keys"
      sentence="Give your apps access to the API."
      // An empty list has this button in the middle of the page. Apps are connected elsewhere.
      actions={!isEmpty && state.tab !== 'apps' && (isOfServices ? createService : create)}
    >
      <AddressTabs
        label="Keys"
        name="tab"
        tabs={[
          {
            value: 'in-force',
            title: 'Active',
            panel: () => <KeysTable {...table} ended={false} empty={none} />,
          },
          {
            value: 'ended',
            title: 'Inactive',
            panel: () => (
              <KeysTable {...table} ended empty={{ sentence: 'No expired or revoked keys.' }} />
            ),
          },
          {
            value: 'apps',
            title: 'Connected apps',
            panel: () => <ConnectedAppsTab {...table} />,
          },
          {
            value: 'service-accounts',
            title: 'Service accounts',
            panel: () => <ServiceAccountsTab create={createService} />,
          },
        ]}
      />
      {openError && !opened && (
        <SidePanel
          title="API key"
          onClose={() => {
            change({ open: undefined });
          }}
        >
          <FailureAlert error={openError} />
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
      <Dialogs keys={keys.data?.data} />
    </Page>
  );
}

/** Returns the filter of the list in a tab. */
function filterOf(tab: string | undefined): KeyFilter {
  switch (tab) {
    case 'ended':
      return { status: 'inactive' };
    case 'apps':
      return { status: 'active', kind: 'app' };
    default:
      return { status: 'active', kind: 'key' };
  }
}

/** The key in the URL. It may be on another page than `keys`, which is loaded first. */
function useKey(keyId: string | undefined, keys: readonly ApiKey[] = []) {
  const { id, api, may } = useAccount();
  return useQuery({
    ...keyQuery(id, api, keyId ?? ''),
    enabled: keyId !== undefined && may('keys:read'),
    placeholderData: keys.find((key) => key.id === keyId),
  });
}

/** Shows the dialog in the URL. */
function Dialogs({ keys }: { keys: readonly ApiKey[] | undefined }) {
  const { dialog, of, close } = useDialogs();
  const isOfService = of?.startsWith('user_') === true;
  const scope = SCOPES.find((one) => one === of);
  const { data: apiKey } = useKey(isOfService || scope ? undefined : of, keys);
  if (isOfService) return <ServiceDialogs serviceAccountId={of} />;
  if (dialog === 'create-key') return <CreateKey scope={scope} onClose={close} />;
  if (dialog === 'create-service-account') return <ServiceAccountForm onClose={close} />;
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

/** Shows the dialog of a service account. */
function ServiceDialogs({ serviceAccountId }: { serviceAccountId: string }) {
  const { dialog, close } = useDialogs();
  const service = useServiceAccounts()?.find(({ id }) => id === serviceAccountId);
  if (!service) return null;
  switch (dialog) {
    case 'create-key':
      return <CreateKey serviceAccountId={service.id} onClose={close} />;
    case 'edit-service-account':
      return <ServiceAccountForm service={service} onClose={close} />;
    case 'delete-service-account':
      return <DeleteServiceAccount service={service} onClose={close} />;
    default:
      return null;
  }
}
