import { Alert, Badge, Button, Group, Paper, Stack, Text, type ButtonProps } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { useDocumentTitle } from '../../api/titles.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { Copyable } from '../../components/copyable.js';
import { DocumentLink } from '../../components/document-link.js';
import { Facts } from '../../components/facts.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone, showFailure } from '../../components/messages.js';
import { countOf } from '../../components/numbers.js';
import { LoadingLines } from '../../components/page-loading.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { SidePanel } from '../../components/side-panel.js';
import { Time } from '../../components/time.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { capitalized } from '../../components/words.js';
import { problemWords } from '../documents/publishing/refusal.js';
import {
  changeOf,
  isPending,
  READ_EVERY,
  requestedItems,
  useRelease,
  useReleaseName,
  useReleasesRefresh,
  type Release,
} from './releases.js';
import { isZone, ownZone, timeInZone } from './zoned-time.js';

type PreviewItem = components['schemas']['ReleasePreviewItem'];

const COLORS: Readonly<Record<Release['status'], string>> = {
  open: 'gray',
  scheduled: 'blue',
  published: 'green',
  failed: 'red',
  canceled: 'gray',
};

export function ReleaseStatus({ status }: Pick<Release, 'status'>) {
  return <Badge color={COLORS[status]}>{capitalized(status)}</Badge>;
}

/** Shows a release, what it publishes, and what readers get now. */
export function ReleasePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const release = useRelease(id);
  const name = useReleaseName(release.data);
  return (
    <SidePanel title={name} onClose={onClose}>
      {release.data ? (
        <Stack>
          <ReleaseFacts release={release.data} />
          {release.data.hiddenItems === 0 && <ReleaseActions release={release.data} />}
          <Items release={release.data} />
        </Stack>
      ) : release.error ? (
        <FailureAlert error={release.error} onRetry={() => void release.refetch()} />
      ) : (
        <LoadingLines rows={8} />
      )}
    </SidePanel>
  );
}

function ReleaseFacts({ release }: { release: Release }) {
  const { id, status, publishAt, timeZone, hiddenItems, finishedAt } = release;
  const zone = timeZone !== null && isZone(timeZone) ? timeZone : ownZone();
  return (
    <>
      <Facts
        of={[
          ['Status', <ReleaseStatus key="status" status={status} />],
          ['Time', publishAt !== null && timeInZone(new Date(publishAt), zone)],
          ['UTC', publishAt !== null && timeInZone(new Date(publishAt), 'UTC')],
          ['Ended', finishedAt !== null && <Time at={finishedAt} />],
          ['Last changed by', release.updatedBy.name],
          ['ID', <Copyable key="id" name="ID" text={id} />],
        ]}
      />
      {status === 'failed' && (
        <Alert color="red" role="alert" title="Nothing was published">
          Fix what is named below, then create another release.
        </Alert>
      )}
      {hiddenItems > 0 && (
        <Text size="sm">
          You can’t see {countOf(hiddenItems, 'more document')} of this release, so you can’t change
          it.
        </Text>
      )}
    </>
  );
}

/** The buttons of a release. A schedule is changed where its document is. */
function ReleaseActions({ release }: { release: Release }) {
  const { id, title, items } = release;
  const dialogs = useDialogs();
  const button = (dialog: string, name: string, look: ButtonProps) => (
    <ScopedButton
      scope="documents:write"
      {...look}
      onClick={() => {
        dialogs.open(dialog, id);
      }}
    >
      {name}
    </ScopedButton>
  );
  return (
    <Group>
      {isPending(release) && (
        <>
          {button('publish-release', 'Publish now', {})}
          {title === null ? (
            <AppLink
              to="/{-$accountId}/documents/$documentId"
              params={paramsOf(items[0]?.id)}
              search={{ dialog: 'schedule' } as never}
            >
              Change schedule
            </AppLink>
          ) : (
            button('edit-release', 'Edit release', { variant: 'default' })
          )}
          {button('cancel-release', 'Cancel release', { variant: 'default' })}
        </>
      )}
      {button('delete-release', 'Delete release', { variant: 'outline', color: 'red' })}
    </Group>
  );
}

function paramsOf(documentId: string | undefined): never {
  return ((previous: object) => ({ ...previous, documentId })) as never;
}

/** The documents as readers would get them. */
function Items({ release }: { release: Release }) {
  const { id: accountId, api } = useAccount();
  const { id, version, status } = release;
  const preview = useQuery({
    queryKey: [accountId, 'releases', id, 'documents', version, status],
    queryFn: () =>
      dataOf(
        api.GET('/v1/releases/{id}/documents', {
          params: { path: { id }, query: { limit: LARGEST_PAGE } },
        }),
      ),
    // The response has the texts.
    refetchInterval: every(isPending(release) && 4 * READ_EVERY) as never,
  });
  const rows = preview.data;
  if (preview.error && !rows) {
    return <FailureAlert error={preview.error} onRetry={() => void preview.refetch()} />;
  }
  return (
    <>
      <strong>{countOf(release.items.length, 'document')}</strong>
      {rows ? (
        <Stack gap="sm" role="list" aria-label="Documents">
          {rows.map((item) => (
            <Item key={item.id} release={release} item={item} />
          ))}
        </Stack>
      ) : (
        <LoadingLines rows={release.items.length} height={48} />
      )}
    </>
  );
}

function Item({ release, item }: { release: Release; item: PreviewItem }) {
  const { id, version, live, problems, superseded } = item;
  const isComparable = live !== null && version !== null && version !== live.version;
  return (
    <Paper withBorder p="sm" role="listitem" style={{ overflowWrap: 'anywhere' }}>
      <Group justify="space-between" wrap="nowrap">
        <DocumentLink documentId={id} title={item.document?.title} />
        {isPending(release) && release.title !== null && release.hiddenItems === 0 && (
          <RemoveItem release={release} item={item} />
        )}
      </Group>
      <Text size="sm">
        {actionText(item)}
        {isComparable && (
          <>
            {' · '}
            <AppLink
              to="/{-$accountId}/documents/$documentId/history"
              params={paramsOf(id)}
              search={{ from: 'published', to: String(version) } as never}
            >
              Compare with published
            </AppLink>
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {live ? (
          <>
            Readers get version {live.version}, published <Time at={live.publishedAt} />
          </>
        ) : (
          'Readers don’t get it now'
        )}
      </Text>
      {superseded && (
        <Text size="sm" c="dimmed">
          {isPending(release) ? 'Will be skipped' : 'Skipped'}: a newer version was published, or
          there is nothing to unpublish.
        </Text>
      )}
      {problems.map((problem) => (
        <Text key={`${problem.check} ${problem.issue}`} size="sm" c="red">
          {problemWords(problem)}
        </Text>
      ))}
    </Paper>
  );
}

function actionText({ action, version, live, superseded }: PreviewItem): string {
  if (action === 'unpublish') return 'Unpublish';
  if (version === null) return 'Publish';
  const isOlder = live !== null && version < live.version && !superseded;
  return `Publish ${isOlder ? 'the older ' : ''}version ${String(version)}`;
}

/** Removes a document. The last one stays, because a release is never empty. */
function RemoveItem({ release, item }: { release: Release; item: PreviewItem }) {
  const { api } = useAccount();
  const allowance = useAllowance('documents:write');
  const refresh = useReleasesRefresh();
  const title = useDocumentTitle(item.id) ?? 'document';
  const remove = useMutation({
    mutationFn: () => {
      const items = requestedItems(release).filter(({ id }) => id !== item.id);
      return dataOf(api.PATCH('/v1/releases/{id}', { params: changeOf(release), body: { items } }));
    },
    onSuccess: () => {
      showDone(`${title} removed from the release.`);
    },
    onError: showFailure,
    onSettled: refresh,
  });
  if (release.items.length === 1) return null;
  return (
    <Button
      size="xs"
      variant="default"
      miw="max-content"
      aria-label={`Remove ${title}`}
      loading={remove.isPending}
      onClick={() => {
        remove.mutate();
      }}
      {...allowance}
    >
      Remove
    </Button>
  );
}
