import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { CodeBlock, prettyJson } from '../../components/code-block.js';
import { Copyable } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { SidePanel } from '../../components/side-panel.js';
import { Time } from '../../components/time.js';
import { KeyName } from '../requests/key-name.js';
import { actorLabel, type AuditEntry } from './audit-query.js';
import { ResourceLink } from './resource-link.js';

/** Shows one entry. Loads it by ID, because the visible page may not contain it. */
export function EntryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { id: accountId, api } = useAccount();
  const entry = useQuery({
    queryKey: [accountId, 'audit', id],
    queryFn: () => dataOf(api.GET('/v1/audit/{id}', { params: { path: { id } } })),
    // Entries never change.
    staleTime: Infinity,
  });
  return (
    <SidePanel title={entry.data?.action ?? 'Entry'} onClose={onClose}>
      {entry.data ? (
        <EntryFacts entry={entry.data} />
      ) : entry.error ? (
        <FailureAlert error={entry.error} onRetry={() => void entry.refetch()} />
      ) : (
        <LoadingLines rows={8} />
      )}
    </SidePanel>
  );
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { id, action, resource, actor, requestId, clientAddress, userAgent, createdAt } = entry;
  return (
    <Stack>
      <Facts
        of={[
          ['Action', action],
          ['Resource', <ResourceLink key="resource" {...resource} />],
          ['Resource ID', resource.id && <Copyable name="resource ID" text={resource.id} />],
          ['Actor', actorLabel(entry)],
          [
            'Key',
            actor && (actor.keyId === null ? 'None (dashboard)' : <KeyName id={actor.keyId} />),
          ],
          ['Time', <Time key="time" at={createdAt} />],
          ['Address', clientAddress],
          ['User agent', userAgent],
          [
            'Request',
            requestId && (
              <AppLink to="/{-$accountId}/requests/$requestId" params={{ requestId }}>
                {requestId}
              </AppLink>
            ),
          ],
          ['ID', <Copyable key="id" name="ID" text={id} />],
        ]}
      />
      <CodeBlock name="Details" text={prettyJson(entry.details)} />
    </Stack>
  );
}
