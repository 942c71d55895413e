import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAccount } from '../../../api/session.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { formatCount } from '../../../components/numbers.js';
import { LoadingLines } from '../../../components/page-loading.js';
import { useAllowance } from '../../../components/use-allowance.js';
import type { Document } from '../document-types.js';
import type { DocumentSession } from '../editor/document-session.js';
import { AnalysisFacts } from './analysis-facts.js';
import { analysisKey, analyze, useAnalysis } from './use-analysis.js';

interface ScoresProps {
  document: Document;
  session: DocumentSession;
}

/** Scores and readability of the newest stored analysis. */
export function Scores({ document, session }: ScoresProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const allowance = useAllowance('documents:analyze');
  const newest = useAnalysis(document.id);
  const analyzing = useMutation({
    mutationFn: async () => {
      await session.autosave.save();
      return analyze(api, document.id);
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
          loading={analyzing.isPending}
          onClick={() => {
            analyzing.mutate();
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
      {analyzing.error && <FailureAlert error={analyzing.error} />}
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
