import { Badge, Group, Stack } from '@mantine/core';
import type { ApiKey } from '../../api/keys.js';
import { AppHost } from '../../components/app-host.js';
import { AppLink } from '../../components/app-link.js';
import { Copyable } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { SidePanel } from '../../components/side-panel.js';
import { Time, useNow } from '../../components/time.js';
import { FolderNames } from '../folders/folder-names.js';
import classes from './keys.module.css';
import { keyState } from './key-state.js';
import { limitsText } from './limits-field.js';
import { meaningOf } from './scope-groups.js';
import { capitalized } from '../../components/words.js';

interface KeyPanelProps {
  apiKey: ApiKey;
  onEdit: () => void;
  onRotate: () => void;
  onRevoke: () => void;
  onClose: () => void;
}

/** Shows a key without its secret, and what each of its scopes allows. */
export function KeyPanel({ apiKey, onEdit, onRotate, onRevoke, onClose }: KeyPanelProps) {
  const { id, name, lastFour, scopes, allowedIps, limits, client, createdBy, owner } = apiKey;
  const state = keyState(apiKey, useNow());
  return (
    <SidePanel title={name} onClose={onClose}>
      <Stack>
        <Facts
          of={[
            ['State', <KeyBadge key="state" state={state} />],
            ['From', client && <AppHost host={client.host} />],
            ['Client ID', client?.id],
            [
              'Key',
              !client && (
                <code key="key" className={classes.code}>
                  …{lastFour}
                </code>
              ),
            ],
            ['ID', <Copyable key="id" name="ID" text={id} />],
            ['Last used', <WhenOr key="used" at={apiKey.lastUsedAt} otherwise="Never" />],
            ['Expires', <WhenOr key="expires" at={apiKey.expiresAt} otherwise="Never" />],
            ['Revoked', apiKey.revokedAt && <WhenOr at={apiKey.revokedAt} otherwise="" />],
            ['Allowed addresses', allowedIps.length === 0 ? 'All' : allowedIps.join(', ')],
            ['Folders', <FolderNames key="folders" ids={apiKey.collections} />],
            ['Request limits', limitsText(limits)],
            ['Created', <WhenOr key="created" at={apiKey.createdAt} otherwise="" />],
            [
              client ? 'Connected by' : 'Owner',
              owner.kind === 'service'
                ? `${owner.name} (service account)`
                : `${owner.name} (${createdBy.email})`,
            ],
          ]}
        />
        <strong>Scopes</strong>
        <ul className={classes.allowed} aria-label="Scopes">
          {scopes.map((scope) => (
            <li key={scope}>
              <Badge tt="none">{scope}</Badge>
              <div>{meaningOf(scope)}.</div>
            </li>
          ))}
        </ul>
        <Group>
          <AppLink to="/{-$accountId}/requests" search={{ keyId: id } as never}>
            View requests with this key
          </AppLink>
          <AppLink to="/{-$accountId}/audit" search={{ keyId: id } as never}>
            View changes made with this key
          </AppLink>
        </Group>
        {state === 'active' && client && (
          <Group>
            <ScopedButton scope="keys:write" color="red" variant="outline" onClick={onRevoke}>
              Disconnect
            </ScopedButton>
          </Group>
        )}
        {state === 'active' && !client && (
          <Group>
            <ScopedButton scope="keys:write" variant="default" onClick={onEdit}>
              Edit key
            </ScopedButton>
            <ScopedButton scope="keys:write" variant="default" onClick={onRotate}>
              Rotate key
            </ScopedButton>
            <ScopedButton scope="keys:write" color="red" variant="outline" onClick={onRevoke}>
              Revoke key
            </ScopedButton>
          </Group>
        )}
      </Stack>
    </SidePanel>
  );
}

function WhenOr({ at, otherwise }: { at: string | null; otherwise: string }) {
  if (at === null) return otherwise;
  return <Time at={at} />;
}

const COLORS = { active: 'green', expired: 'gray', revoked: 'gray' } as const;

export function KeyBadge({ state }: { state: keyof typeof COLORS }) {
  return <Badge color={COLORS[state]}>{capitalized(state)}</Badge>;
}
