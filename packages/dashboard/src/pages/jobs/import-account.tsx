import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { FileZone } from '../../components/file-zone.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';
import { formatBytes } from '../../components/numbers.js';

/** Compression by file extension. */
const ENCODINGS = [
  ['.gz', 'gzip'],
  ['.br', 'br'],
] as const;

export function ImportAccount({ onClose }: { onClose: CloseDialog }) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('*');
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File>();
  const begin = useMutation({
    mutationFn: (chosen: File) => {
      const encoding = ENCODINGS.find(([end]) => chosen.name.endsWith(end))?.[1];
      return dataOf(
        api.POST('/v1/account/import', {
          // Sends the file unchanged, because its bytes are not text.
          body: chosen as never,
          bodySerializer: (body: unknown) => body as File,
          headers: {
            'Content-Type': 'application/x-ndjson',
            ...(encoding !== undefined && { 'Content-Encoding': encoding }),
          },
        }),
      );
    },
    onSuccess: async () => {
      showDone('Import started. The list shows the progress.');
      await onClose();
      await queryClient.invalidateQueries({ queryKey: [accountId, 'jobs'] });
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Import account"
      submit="Import account"
      submission={begin}
      disabled={!file}
      onSubmit={() => {
        if (file) begin.mutate(file);
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Imports all documents and templates from an export, or none. The account and its trash must
        be empty. The job result lists changed IDs.
      </Text>
      <FileZone
        label="File"
        hint={
          file
            ? `${file.name}, ${formatBytes(file.size)}`
            : 'A file from Export account. It can be compressed (.gz, .br).'
        }
        accept=".ndjson,.jsonl,.gz,.br"
        onFiles={([chosen]) => {
          setFile(chosen);
        }}
      />
    </FormDialog>
  );
}
