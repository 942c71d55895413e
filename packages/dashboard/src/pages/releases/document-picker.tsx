import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Icon } from '../../components/icons.js';

/** Pause after a keystroke before documents are searched, in ms. */
const TYPING_PAUSE = 200;
const SHOWN = 20;

interface DocumentPickerProps {
  /** IDs and titles of the checked documents. */
  picked: ReadonlyMap<string, string>;
  /** Documents that are not shown. */
  without: readonly { id: string }[];
  error: string | undefined;
  onChange: (picked: ReadonlyMap<string, string>) => void;
}

/** Searches documents to check. Checked ones stay at the top of the list. */
export function DocumentPicker({ picked, without, error, onChange }: DocumentPickerProps) {
  const { id: accountId, api } = useAccount();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), TYPING_PAUSE);
  const search = q === '' ? { sort: 'updatedAt' as const, order: 'desc' as const } : { q };
  const query = { fields: ['title' as const], limit: SHOWN, ...search };
  const found = useQuery({
    queryKey: [accountId, 'documents', 'picker', q],
    queryFn: () => dataOf(api.GET('/v1/documents', { params: { query } })),
    placeholderData: keepPreviousData,
  });
  const others = (found.data ?? []).filter(({ id }) => without.every((one) => one.id !== id));
  const rows = new Map([...picked, ...others.map(({ id, title }) => [id, title] as const)]);
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        label="Add documents"
        placeholder="Search documents"
        value={typed}
        error={error}
        leftSection={<Icon name="search" size={16} />}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
        }}
      />
      <Stack gap="xs" mah={250} style={{ overflowY: 'auto' }} role="group" aria-label="Documents">
        {[...rows].map(([id, title]) => (
          <Checkbox
            key={id}
            checked={picked.has(id)}
            label={<bdi>{title}</bdi>}
            onChange={({ currentTarget }) => {
              const next = new Map(picked).set(id, title);
              if (!currentTarget.checked) next.delete(id);
              onChange(next);
            }}
          />
        ))}
      </Stack>
      {found.error && <FailureAlert error={found.error} onRetry={() => void found.refetch()} />}
      <Text size="sm" c="dimmed" role="status">
        {found.data && rows.size === 0 && 'No documents match.'}
      </Text>
    </Stack>
  );
}
