import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { CodeBlock } from '../../../components/code-block.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { LoadingLines } from '../../../components/page-loading.js';

/** The first version, which has no predecessor to compare with. */
export function WholeVersion({ documentId, number }: { documentId: string; number: number }) {
  const { id: accountId, api } = useAccount();
  const version = useQuery({
    queryKey: [accountId, 'documents', 'version', documentId, number],
    queryFn: () =>
      dataOf(
        api.GET('/v1/documents/{id}/versions/{number}', {
          params: { path: { id: documentId, number } },
        }),
      ),
    staleTime: Infinity,
  });
  if (version.error) {
    return <FailureAlert error={version.error} onRetry={() => void version.refetch()} />;
  }
  if (!version.data) return <LoadingLines rows={6} />;
  return (
    <>
      <strong>{version.data.title}</strong>
      <CodeBlock name={`Text of version ${String(number)}`} text={version.data.content} />
    </>
  );
}
