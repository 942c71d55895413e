import { Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { keysQuery, type ApiKey } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import { KeyShownOnce } from './key-shown-once.js';
import { OwnerField, YOURSELF } from './owner-field.js';
import { useAllowance } from '../../components/use-allowance.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';

/** How long the old key stays valid after a rotation, in seconds. */
const OVERLAPS = [
  ['0', 'None: the old key stops working immediately'],
  ['3600', '1 hour'],
  ['86400', '24 hours'],
  ['604800', '7 days'],
] as const;

interface RotateKeyProps {
  apiKey: ApiKey;
  onClose: CloseDialog;
}

export function RotateKey({ apiKey, onClose }: RotateKeyProps) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('keys:write');
  const queryClient = useQueryClient();
  const [overlap, setOverlap] = useState('86400');
  const isOfService = apiKey.owner.kind === 'service';
  const [owner, setOwner] = useState(isOfService ? apiKey.owner.id : YOURSELF);
  const [made, setMade] = useState<string>();
  const rotate = useMutation({
    mutationFn: () => {
      const params = { path: { id: apiKey.id } };
      const body = {
        gracePeriodSeconds: Number(overlap),
        ...(owner !== YOURSELF && { serviceAccountId: owner }),
      };
      return dataOf(api.POST('/v1/keys/{id}/rotate', { params, body }));
    },
    onSuccess: async ({ key }) => {
      // Null is the response to a repeated request, and this one is never repeated.
      if (key === null) await onClose();
      else setMade(key);
      await queryClient.invalidateQueries(keysQuery(accountId, api));
    },
    // Only this component holds the key. It is in no cache and no URL.
    gcTime: 0,
  });
  if (made !== undefined) {
    return (
      <KeyShownOnce title="Key rotated" value={made} scopes={apiKey.scopes} onClose={onClose} />
    );
  }
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Rotate key"
      submit="Rotate key"
      submission={rotate}
      onSubmit={() => {
        rotate.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Creates a new key with the same settings as {apiKey.name}. Replace the old key before the
        overlap ends.
      </Text>
      <Radio.Group label="Overlap" value={overlap} onChange={setOverlap}>
        <Stack gap="xs" mt="xs">
          {OVERLAPS.map(([value, text]) => (
            <Radio key={value} value={value} label={text} />
          ))}
        </Stack>
      </Radio.Group>
      <OwnerField
        label="Owner of the new key"
        value={owner}
        onlyServices={isOfService}
        error={
          rotate.error === null ? undefined : asFailure(rotate.error).problemOf('serviceAccountId')
        }
        onChange={setOwner}
      />
    </FormDialog>
  );
}
