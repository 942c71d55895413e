import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { AddressTabs } from '../../../components/address-tabs.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { countOf } from '../../../components/numbers.js';
import { Section } from '../../../components/page.js';
import { LoadingLines } from '../../../components/page-loading.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { loadAlone } from '../../../load-part.js';
import { FieldChanges } from './field-changes.js';
import { MarkdownComparison } from './markdown-comparison.js';
import type { components } from '../../../api/v1-schema.js';

/** Reading Markdown takes 60 KB. */
const FormattedComparison = lazy(() => loadAlone(() => import('./formatted-comparison.js')));

interface VersionComparisonProps {
  documentId: string;
  from: number;
  to: number;
  current: number;
  /** True if `from` is the version that readers get. */
  isPublished?: boolean;
}

/** Shows the differences between two versions, or the first version, which has no predecessor. */
export function VersionComparison(props: VersionComparisonProps) {
  const { documentId, from, to, current } = props;
  const allowance = useAllowance('documents:write');
  const dialogs = useDialogs();
  const restorable = [from, to].filter((number) => number > 0 && number !== current).at(-1);
  return (
    <Section
      title={titleOf(props)}
      actions={
        restorable !== undefined && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              dialogs.open('restore', String(restorable));
            }}
            {...allowance}
            title={allowance.title ?? `Restores version ${String(restorable)}`}
          >
            Restore this version
          </Button>
        )
      }
    >
      {from > 0 ? (
        <Differences documentId={documentId} from={from} to={to} />
      ) : (
        <FormattedVersions documentId={documentId} from={undefined} to={to} />
      )}
    </Section>
  );
}

function titleOf({ from, to, isPublished }: VersionComparisonProps): string {
  if (from === 0) return `Version ${String(to)}`;
  const older = isPublished ? `Published version ${String(from)}` : `Version ${String(from)}`;
  return `${older} → ${String(to)}`;
}

type ComparedProps = Pick<VersionComparisonProps, 'documentId' | 'from' | 'to'>;

function Differences({ documentId, from, to }: ComparedProps) {
  const { id: accountId, api } = useAccount();
  const diff = useQuery({
    queryKey: [accountId, 'documents', 'diff', documentId, from, to],
    queryFn: () =>
      dataOf(
        api.GET('/v1/documents/{id}/versions/{number}/diff', {
          params: { path: { id: documentId, number: to }, query: { against: from } },
        }),
      ),
    staleTime: Infinity,
  });
  if (diff.error) return <FailureAlert error={diff.error} onRetry={() => void diff.refetch()} />;
  if (!diff.data) return <LoadingLines rows={6} />;
  const { content } = diff.data;
  return (
    <Stack>
      <FieldChanges diff={diff.data} />
      {content.hunks.length === 0 ? (
        <Text size="sm">No changes in the text.</Text>
      ) : (
        <>
          <Summary diff={content} />
          <AddressTabs
            label="Changes"
            name="view"
            keepsPage
            tabs={[
              {
                value: 'formatted',
                title: 'Formatted',
                panel: () => <FormattedVersions documentId={documentId} from={from} to={to} />,
              },
              {
                value: 'markdown',
                title: 'Markdown',
                panel: () => <MarkdownComparison hunks={content.hunks} />,
              },
            ]}
          />
        </>
      )}
    </Stack>
  );
}

function Summary({ diff: { stats, approximate } }: { diff: components['schemas']['ContentDiff'] }) {
  return (
    <Group gap="md">
      <Text size="sm" c="dimmed">
        {countOf(stats.addedWords, 'word')} added, {countOf(stats.removedWords, 'word')} removed
        {approximate && '. Large differences are shown approximately'}.
      </Text>
    </Group>
  );
}

interface FormattedVersionsProps {
  documentId: string;
  /** The older version. Without it, the newer one is shown alone. */
  from: number | undefined;
  to: number;
}

/** Loads both texts. */
function FormattedVersions({ documentId, from, to }: FormattedVersionsProps) {
  const before = useVersionText(documentId, from);
  const after = useVersionText(documentId, to);
  const error = before.error ?? after.error;
  if (error) {
    const retry = () => {
      void before.refetch();
      void after.refetch();
    };
    return <FailureAlert error={error} onRetry={retry} />;
  }
  const isLoaded = after.data !== undefined && (from === undefined || before.data !== undefined);
  if (!isLoaded) return <LoadingLines rows={6} />;
  return (
    <Suspense fallback={<LoadingLines rows={6} />}>
      <FormattedComparison before={before.data} after={after.data} />
    </Suspense>
  );
}

function useVersionText(documentId: string, number: number | undefined) {
  const { id: accountId, api } = useAccount();
  return useQuery({
    queryKey: [accountId, 'documents', 'version', documentId, number],
    queryFn: async () => {
      const path = { id: documentId, number: number ?? 0 };
      return (await dataOf(api.GET('/v1/documents/{id}/versions/{number}', { params: { path } })))
        .content;
    },
    enabled: number !== undefined,
    // Versions never change.
    staleTime: Infinity,
  });
}
