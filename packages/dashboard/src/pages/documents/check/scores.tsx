import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { bodyOf, dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { formatCount } from '../../../components/numbers.js';
import { LoadingLines } from '../../../components/page-loading.js';
import { useAllowance } from '../../../components/use-allowance.js';
import type { Document } from '../document-types.js';
import type { DocumentSession } from '../editor/document-session.js';
import { followJob, isJob, type Job } from '../follow-job.js';
import { AnalysisFacts } from './analysis-facts.js';
import { analysisKey, useAnalysis, type Analysis } from './use-analysis.js';

interface ScoresProps {
  document: Document;
  session: DocumentSession;
}

/** Scores and readability of the newest stored analysis. */
export function Scores({ document, session }: ScoresProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const allowance = useAllowance('documents:analyze');
  const path = { id: document.id };
  const newest = useAnalysis(document.id);
  const analyze = useMutation({
    mutationFn: async () => {
      await session.autosave.save();
      const { data: accepted } = await bodyOf<{ data: Analysis | Job }>(
        api.POST('/v1/documents/{id}/analyze', { params: { path }, body: {} }),
      );
      if (!isJob(accepted)) return accepted;
      const { result } = await followJob(api, accepted.id);
      const { analysisId } = result as { analysisId: string };
      return dataOf(
        api.GET('/v1/documents/{id}/analyses/{analysisId}', {
          params: { path: { ...path, analysisId } },
        }),
      );
    },
    onSuccess: (analysis) => {
      queryClient.setQueryData(analysisKey(accountId, document.id), analysis);
    },
  });
  const analysis = newest.data ?? undefined;
  const isOld = analysis !== undefined && analysis.documentVersion < document.version;
  return (
    <Stack gap="sm">
      <Group>
        <Button
          size="xs"
          variant="default"
          loading={analyze.isPending}
          onClick={() => {
            analyze.mutate();
          }}
          {...allowance}
        >
          Analyze text
        </Button>
        {analysis && (
          <Text size="sm" c="dimmed">
            Version {formatCount(analysis.documentVersion)}
            {isOld && ' (outdated)'}
          </Text>
        )}
      </Group>
      {analyze.error && <FailureAlert error={analyze.error} />}
      {newest.error && <FailureAlert error={newest.error} onRetry={() => void newest.refetch()} />}
      {newest.isPending && <LoadingLines rows={4} />}
      {newest.data === null && (
        <Text size="sm" c="dimmed">
          Not analyzed yet. An analysis measures correctness, clarity and readability.
        </Text>
      )}
      {analysis && <AnalysisFacts analysis={analysis} />}
    </Stack>
  );
}
