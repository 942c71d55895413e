import { Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { keysQuery, type ApiKey } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { FormDialog } from '../../components/dialog.js';

/** How long the old key stays valid beside the new one, in seconds. */
const OVERLAPS = [
  ['0', 'None: the old key ends at once'],
  ['3600', '1 hour'],
  ['86400', '24 hours'],
  ['604800', '7 days'],
] as const;

interface RotateKeyProps {
  apiKey: ApiKey;
  onRotated: (key: components['schemas']['RotatedApiKey']) => void;
  onClose: () => void;
}

export function RotateKey({ apiKey, onRotated, onClose }: RotateKeyProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () => {
      const params = { path: { id: apiKey.id } };
      const body = { gracePeriodSeconds: Number(overlap) };
      return dataOf(api.POST('/v1/keys/{id}/rotate', { params, body }));
    },
    onSuccess: async (key) => {
      onRotated(key);
      await queryClient.invalidateQueries(keysQuery(accountId, api));
    },
    // The key itself must not stay in the cache of mutations.
    gcTime: 0,
  });
  return (
    <FormDialog
      title="Rotate"
      submit="Rotate"
      submission={rotate}
      onSubmit={() => {
        rotate.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        You get a new key with the name, scopes and addresses of {apiKey.name}. Put it where the old
        one is within the overlap.
      </Text>
      <Radio.Group label="Overlap" value={overlap} onChange={setOverlap}>
        <Stack gap="xs" mt="xs">
          {OVERLAPS.map(([value, text]) => (
            <Radio key={value} value={value} label={text} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
