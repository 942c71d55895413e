import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keysQuery, type ApiKey } from '../../api/keys.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { Page } from '../../components/page.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { useNow } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { CreateKey } from './create-key.js';
import { EditKey } from './edit-key.js';
import { KeyPanel } from './key-panel.js';
import { KeyShownOnce, type ShownKey } from './key-shown-once.js';
import { keyState } from './key-state.js';
import { KeysTable } from './keys-table.js';
import { RevokeKey } from './revoke-key.js';
import { RotateKey } from './rotate-key.js';

/** Which dialog is open. A key that was just made lives here only, in no cache and no address. */
type OpenDialog =
  | { name: 'create' }
  | { name: 'edit' | 'rotate' | 'revoke'; apiKey: ApiKey }
  | { name: 'shown'; shown: ShownKey };

export function KeysPage() {
  const { id, api, may } = useAccount();
  const [state, change] = useSearchState();
  const keys = useQuery({ ...keysQuery(id, api), refetchInterval: every(30_000) as never });
  const [dialog, setDialog] = useState<OpenDialog>();
  const now = useNow();
  const mayCreate = may('keys:write');
  // `?new` comes from Overview and from the command palette.
  useEffect(() => {
    if (state.new === undefined) return;
    if (mayCreate) setDialog({ name: 'create' });
    change({ new: undefined }, { replace: true });
  }, [state.new, mayCreate, change]);
  const inForce = keys.data?.filter((key) => keyState(key, now) === 'in force');
  const ended = keys.data?.filter((key) => keyState(key, now) !== 'in force');
  const isEmpty = inForce?.length === 0 && state.tab !== 'ended';
  const opened = keys.data?.find((key) => key.id === state.open);
  const create = (
    <ScopedButton
      scope="keys:write"
      onClick={() => {
        setDialog({ name: 'create' });
      }}
    >
      Create key
    </ScopedButton>
  );
  const table = {
    error: keys.error,
    onRetry: () => void keys.refetch(),
    onEdit: (apiKey: ApiKey) => {
      setDialog({ name: 'edit', apiKey });
    },
    onRotate: (apiKey: ApiKey) => {
      setDialog({ name: 'rotate', apiKey });
    },
    onRevoke: (apiKey: ApiKey) => {
      setDialog({ name: 'revoke', apiKey });
    },
  };
  const none = {
    sentence:
      'No program has a key yet. A key lets one use the API in the name of this account, as far as its scopes reach.',
    action: create,
  };
  return (
    <Page
      title="API keys"
      sentence="A key lets a program use the API, as far as its scopes reach."
      // Where nothing is yet, the button stands in the middle of the page.
      actions={!isEmpty && create}
    >
      <AddressTabs
        label="Keys"
        name="tab"
        tabs={[
          {
            value: 'in-force',
            title: 'In force',
            panel: () => <KeysTable {...table} keys={inForce} ended={false} empty={none} />,
          },
          {
            value: 'ended',
            title: 'Ended',
            panel: () => (
              <KeysTable
                {...table}
                keys={ended}
                ended
                empty={{ sentence: 'No key has expired or was revoked.' }}
              />
            ),
          },
        ]}
      />
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
      <Dialogs dialog={dialog} setDialog={setDialog} />
    </Page>
  );
}

interface DialogsProps {
  dialog: OpenDialog | undefined;
  setDialog: (dialog: OpenDialog | undefined) => void;
}

function Dialogs({ dialog, setDialog }: DialogsProps) {
  const close = () => {
    setDialog(undefined);
  };
  const show = (title: ShownKey['title']) => (made: { key: string | null; scopes: string[] }) => {
    // Null is the answer to a repeated request; these are never repeated.
    const { key, scopes } = made;
    setDialog(key === null ? undefined : { name: 'shown', shown: { title, key, scopes } });
  };
  switch (dialog?.name) {
    case 'create':
      return <CreateKey onCreated={show('Create key')} onClose={close} />;
    case 'edit':
      return <EditKey apiKey={dialog.apiKey} onClose={close} />;
    case 'rotate':
      return <RotateKey apiKey={dialog.apiKey} onRotated={show('Rotate')} onClose={close} />;
    case 'revoke':
      return <RevokeKey apiKey={dialog.apiKey} onClose={close} />;
    case 'shown':
      return <KeyShownOnce shown={dialog.shown} onClose={close} />;
    default:
      return null;
  }
}
