import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { allPages, LARGEST_PAGE } from '../../api/all-pages.js';
import { bodyOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { showDone, showFailure } from '../../components/messages.js';
import { countOf, formatCount } from '../../components/numbers.js';
import { useAllowance } from '../../components/use-allowance.js';
import { saveFile } from '../../components/save-file.js';
import { CSV_TITLES, csvRow, type AuditQuery } from './audit-query.js';
import { csvFile } from './csv.js';

/** Maximum number of rows for a spreadsheet and for the memory of a tab. */
const MOST_ENTRIES = 100_000;

interface Progress {
  read: number;
  total: number;
}

/** Saves all matching entries as CSV, not only the visible page. */
export function ExportCsv({ filters }: { filters: AuditQuery }) {
  const { api } = useAccount();
  const allowance = useAllowance('audit:read');
  const [progress, setProgress] = useState<Progress>();
  const stop = useRef<AbortController>(undefined);
  const save = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      stop.current = controller;
      const entries = await allPages(
        (cursor) => {
          const query = { ...filters, cursor, limit: LARGEST_PAGE };
          return bodyOf(api.GET('/v1/audit', { params: { query }, signal: controller.signal }));
        },
        {
          most: MOST_ENTRIES,
          onProgress: (read, total) => {
            // The response can arrive before the cancellation takes effect.
            controller.signal.throwIfAborted();
            setProgress({ read, total });
          },
        },
      );
      const name = `audit-log-${new Date().toISOString().slice(0, 10)}.csv`;
      saveFile(name, 'text/csv', csvFile(CSV_TITLES, entries.map(csvRow)));
      return entries.length;
    },
    onSuccess: (count) => {
      const cut =
        count === MOST_ENTRIES ? ' There may be more entries. Filter by time to export them.' : '';
      showDone(`${countOf(count, 'entry', 'entries')} exported.${cut}`);
    },
    onError: (error) => {
      if (stop.current?.signal.aborted !== true) showFailure(error);
    },
    onSettled: () => {
      setProgress(undefined);
    },
  });
  return (
    <Group gap="xs">
      {save.isPending && (
        <>
          <Text size="sm" role="status">
            {progress && `${formatCount(progress.read)} of ${formatCount(progress.total)}`}
          </Text>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              stop.current?.abort();
            }}
          >
            Cancel
          </Button>
        </>
      )}
      <Button
        variant="default"
        loading={save.isPending}
        onClick={() => {
          save.mutate();
        }}
        {...allowance}
      >
        Export CSV
      </Button>
    </Group>
  );
}
