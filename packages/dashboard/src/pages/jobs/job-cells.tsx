import { Anchor, Badge, Progress } from '@mantine/core';
import { useAccount } from '../../api/session.js';
import { DocumentLink } from '../../components/document-link.js';
import { formatBytes, formatCount } from '../../components/numbers.js';
import { useNow } from '../../components/time.js';
import { fileOf, isUnderWay, resultUrl, type Job } from './job-queries.js';
import { capitalized } from '../../components/words.js';

const COLORS: Readonly<Record<Job['status'], string>> = {
  queued: 'gray',
  running: 'blue',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'gray',
};

export function JobStatus({ status }: Pick<Job, 'status'>) {
  return <Badge color={COLORS[status]}>{capitalized(status)}</Badge>;
}

/** Shows the progress, as a bar if the total is known. */
export function JobProgress({ job }: { job: Job }) {
  const { done, total } = job.progress;
  if (!isUnderWay(job)) return total === null || total === 0 ? '–' : formatCount(done);
  if (total === null || total === 0) return job.status === 'queued' ? 'Waiting' : formatCount(done);
  return (
    <>
      <Progress value={(done / total) * 100} aria-label={`Progress of ${job.kind}`} miw={90} />
      {formatCount(done)} of {formatCount(total)}
    </>
  );
}

/** Shows the result, or why the job failed. */
export function JobOutcome({ job }: { job: Job }) {
  const { id: accountId } = useAccount();
  const now = useNow();
  if (job.error) return job.error.message;
  const file = fileOf(job, now);
  if (file) {
    return (
      <Anchor inherit href={resultUrl(accountId, job.id)} download={file.fileName}>
        Download result ({formatBytes(file.bytes)})
      </Anchor>
    );
  }
  if (job.result && 'expiresAt' in job.result) return 'File expired';
  const { documentId } = (job.result ?? {}) as { documentId?: unknown };
  if (typeof documentId === 'string') {
    return <DocumentLink documentId={documentId} />;
  }
  return null;
}
