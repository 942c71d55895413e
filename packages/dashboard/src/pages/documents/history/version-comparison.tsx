import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { countOf } from '../../../components/numbers.js';
import { Section } from '../../../components/page.js';
import { LoadingLines } from '../../../components/page-loading.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { FieldChanges } from './field-changes.js';
import { WholeVersion } from './whole-version.js';
import classes from './history.module.css';
import type { components } from '../../../api/v1-schema.js';

type Hunk = components['schemas']['Hunk'];

interface VersionComparisonProps {
  documentId: string;
  from: number;
  to: number;
  current: number;
}

/** Shows the differences between two versions: the text by words, and all other fields as a table. */
export function VersionComparison({ documentId, from, to, current }: VersionComparisonProps) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('documents:write');
  const dialogs = useDialogs();
  const diff = useQuery({
    queryKey: [accountId, 'documents', 'diff', documentId, from, to],
    queryFn: () =>
      dataOf(
        api.GET('/v1/documents/{id}/versions/{number}/diff', {
          params: { path: { id: documentId, number: to }, query: { against: from } },
        }),
      ),
    enabled: from > 0,
    staleTime: Infinity,
  });
  const restorable = [from, to].filter((number) => number > 0 && number !== current);
  return (
    <div className={classes.comparison}>
      <Section
        title={from > 0 ? `Version ${String(from)} → ${String(to)}` : `Version ${String(to)}`}
      >
        <Stack>
          <Group gap="xs">
            {restorable.slice(-1).map((number) => (
              <Button
                key={number}
                size="xs"
                variant="default"
                onClick={() => {
                  dialogs.open('restore', String(number));
                }}
                {...allowance}
                title={allowance.title ?? `Restores version ${String(number)}`}
              >
                Restore this version
              </Button>
            ))}
          </Group>
          {diff.error && <FailureAlert error={diff.error} onRetry={() => void diff.refetch()} />}
          {from > 0 && diff.isPending && <LoadingLines rows={6} />}
          {diff.data && (
            <>
              <FieldChanges diff={diff.data} />
              <ContentChanges diff={diff.data.content} />
            </>
          )}
          {from <= 0 && <WholeVersion documentId={documentId} number={to} />}
        </Stack>
      </Section>
    </div>
  );
}

/** Number of hunks to show at first. */
const SHOWN_HUNKS = 200;

function ContentChanges({ diff }: { diff: components['schemas']['ContentDiff'] }) {
  const { hunks, stats, approximate } = diff;
  if (hunks.length === 0) return <Text size="sm">No changes in the text.</Text>;
  return (
    <>
      <Text size="sm" c="dimmed">
        {countOf(stats.addedWords, 'word')} added, {countOf(stats.removedWords, 'word')} removed
        {approximate && '. Large differences are shown approximately'}.
      </Text>
      {hunks.slice(0, SHOWN_HUNKS).map((hunk) => (
        <OneHunk key={`${String(hunk.fromLine)}-${String(hunk.toLine)}`} hunk={hunk} />
      ))}
      {hunks.length > SHOWN_HUNKS && (
        <Text size="sm">{countOf(hunks.length - SHOWN_HUNKS, 'more change')} not shown.</Text>
      )}
    </>
  );
}

function OneHunk({ hunk: { toLine, toLines, segments } }: { hunk: Hunk }) {
  const last = toLine + Math.max(0, toLines - 1);
  return (
    <figure className={classes.hunk}>
      <figcaption>
        {last > toLine ? `Lines ${String(toLine)} to ${String(last)}` : `Line ${String(toLine)}`}
      </figcaption>
      <pre tabIndex={0}>
        {segments.map(({ type, text }, index) => {
          if (type === 'added') return <ins key={index}>{text}</ins>;
          if (type === 'removed') return <del key={index}>{text}</del>;
          return <span key={index}>{text}</span>;
        })}
      </pre>
    </figure>
  );
}
