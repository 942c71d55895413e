import { Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { keysQuery, type ApiKey } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';
import { FoldersField } from '../folders/folders-field.js';
import { addressesOf } from './key-state.js';
import { areLimits, LimitsField, limitsOf, typedLimits } from './limits-field.js';
import type { Scope } from './scope-groups.js';
import { ScopesField } from './scopes-field.js';

interface EditKeyProps {
  apiKey: ApiKey;
  onClose: CloseDialog;
}

/** Changes a key. The change applies to its next request. */
export function EditKey({ apiKey, onClose }: EditKeyProps) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('keys:write');
  const queryClient = useQueryClient();
  const [name, setName] = useState(apiKey.name);
  const [scopes, setScopes] = useState<Scope[]>(apiKey.scopes);
  const [end, setEnd] = useState(localTime(apiKey.expiresAt));
  const [addresses, setAddresses] = useState(apiKey.allowedIps.join('\n'));
  const [limits, setLimits] = useState(typedLimits(apiKey.limits));
  const [collections, setCollections] = useState(apiKey.collections);
  const save = useMutation({
    mutationFn: () => {
      const params = { path: { id: apiKey.id } };
      const body = {
        name,
        scopes,
        // Compares minutes, so an unchanged expiry keeps its seconds.
        ...(end !== localTime(apiKey.expiresAt) && {
          expiresAt: end === '' ? null : new Date(end).toISOString(),
        }),
        allowedIps: addressesOf(addresses),
        limits: limitsOf(limits),
        collections,
      };
      return dataOf(api.PATCH('/v1/keys/{id}', { params, body }));
    },
    onSuccess: async () => {
      showDone('Saved');
      await onClose();
      await queryClient.invalidateQueries(keysQuery(accountId, api));
    },
  });
  const problemBelow = (field: string) =>
    save.error === null ? undefined : asFailure(save.error).problemBelow(field);
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Edit key"
      size="lg"
      submit="Save key"
      submission={save}
      disabled={
        name.trim() === '' || scopes.length === 0 || !areLimits(limits) || collections?.length === 0
      }
      onSubmit={() => {
        save.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={100}
        data-autofocus
        error={problemBelow('name')}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
      <ScopesField
        chosen={scopes}
        limit={{
          scopes: apiKey.scopes,
          whyNot: "Scopes can't be added to an existing key. Create a new key instead.",
        }}
        onChange={setScopes}
        error={problemBelow('scopes')}
      />
      <FoldersField
        who="The key"
        value={collections}
        error={problemBelow('collections')}
        onChange={setCollections}
      />
      <TextInput
        type="datetime-local"
        label="Expires"
        description="In your time zone. Leave empty for no expiry."
        value={end}
        error={problemBelow('expiresAt')}
        onChange={({ currentTarget }) => {
          setEnd(currentTarget.value);
        }}
      />
      <Textarea
        label="Allowed addresses"
        description="IP addresses and ranges such as 192.0.2.0/24, one per line. Leave empty to allow all."
        rows={2}
        value={addresses}
        error={problemBelow('allowedIps')}
        onChange={({ currentTarget }) => {
          setAddresses(currentTarget.value);
        }}
      />
      <LimitsField value={limits} onChange={setLimits} problemOf={problemBelow} />
    </FormDialog>
  );
}

/** Returns the value of a browser's date field, in local time; empty for never. */
function localTime(time: string | null): string {
  if (time === null) return '';
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
