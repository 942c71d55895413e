import { Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { showDone, showFailure } from '../../components/messages.js';
import { saveFrom } from '../../components/save-file.js';
import { followJob } from '../documents/follow-job.js';
import { fileOf, resultUrl } from '../jobs/job-queries.js';
import type { Folder } from './folders.js';

/** Menu item that exports a folder and the folders in it as a zip. The export continues after the menu closes. */
export function ExportFolder({ folder: { id, name } }: { folder: Folder }) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const exporting = useMutation({
    mutationFn: async () => {
      const { id: jobId } = await dataOf(
        api.POST('/v1/collections/{id}/export', { params: { path: { id } } }),
      );
      showDone(`Export of ${name} started. The download starts when the file is ready.`);
      return followJob(api, jobId);
    },
    onSuccess: (job) => {
      const file = fileOf(job, new Date());
      if (file) saveFrom(resultUrl(accountId, job.id), file.fileName);
    },
    onError: showFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [accountId, 'jobs'] }),
  });
  return (
    <Menu.Item
      onClick={() => {
        exporting.mutate();
      }}
    >
      Export folder
    </Menu.Item>
  );
}
