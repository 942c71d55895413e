import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { keysQuery } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import { useAllowance } from '../../components/use-allowance.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { FoldersField } from '../folders/folders-field.js';
import { KeyShownOnce } from './key-shown-once.js';
import { addressesOf } from './key-state.js';
import { areLimits, LimitsField, limitsOf, typedLimits } from './limits-field.js';
import { OwnerField, useScopesOfOwner, YOURSELF } from './owner-field.js';
import { isWithin, limitInFolders, type Scope } from './scope-groups.js';
import { ScopesField } from './scopes-field.js';

const DAY_MS = 86_400_000;

/** Expiry options, in days. */
const EXPIRIES = [
  ['never', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 1 year'],
  ['date', 'Custom date'],
] as const;
type Expiry = (typeof EXPIRIES)[number][0];

interface CreateKeyProps {
  /** ID of the service account to which the key belongs at first. */
  serviceAccountId?: string | undefined;
  /** Chosen at first. */
  scope?: Scope | undefined;
  onClose: CloseDialog;
}

export function CreateKey({ serviceAccountId = YOURSELF, scope, onClose }: CreateKeyProps) {
  const { id, api } = useAccount();
  const allowance = useAllowance('keys:write');
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [owner, setOwner] = useState(serviceAccountId);
  const limitOf = useScopesOfOwner();
  const [scopes, setScopes] = useState<Scope[]>(scope ? [scope] : []);
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [day, setDay] = useState('');
  const [addresses, setAddresses] = useState('');
  const [limits, setLimits] = useState(typedLimits());
  const [collections, setCollections] = useState<string[] | null>(null);
  const [made, setMade] = useState<string>();
  const create = useMutation({
    mutationFn: () => {
      const body = {
        name,
        scopes,
        expiresAt: expiresAt(expiry, day),
        allowedIps: addressesOf(addresses),
        limits: limitsOf(limits),
        collections,
        ...(owner !== YOURSELF && { serviceAccountId: owner }),
      };
      return dataOf(api.POST('/v1/keys', { body }));
    },
    onSuccess: async ({ key }) => {
      // Null is the response to a repeated request, and this one is never repeated.
      if (key === null) await onClose();
      else setMade(key);
      await queryClient.invalidateQueries(keysQuery(id, api));
    },
    // Only this component holds the key. It is in no cache and no URL.
    gcTime: 0,
  });
  const problemOf = (field: string) =>
    create.error === null ? undefined : asFailure(create.error).problemOf(field);
  if (made !== undefined) {
    return <KeyShownOnce title="Key created" value={made} scopes={scopes} onClose={onClose} />;
  }
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Create key"
      size="lg"
      submit="Create key"
      submission={create}
      disabled={
        name.trim() === '' ||
        scopes.length === 0 ||
        (expiry === 'date' && day === '') ||
        !areLimits(limits) ||
        collections?.length === 0
      }
      onSubmit={() => {
        create.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Where the key is used, such as “Build server”."
        value={name}
        maxLength={100}
        data-autofocus
        required
        withAsterisk={false}
        error={problemOf('name')}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
      <OwnerField
        label="Owner"
        value={owner}
        error={problemOf('serviceAccountId')}
        onChange={(chosen) => {
          setOwner(chosen);
          setScopes(scopes.filter((one) => isWithin(limitOf(chosen), one)));
        }}
      />
      <ScopesField
        chosen={scopes}
        limit={collections ? limitInFolders(limitOf(owner)) : limitOf(owner)}
        onChange={setScopes}
        error={problemOf('scopes')}
      />
      <FoldersField
        who="The key"
        value={collections}
        error={problemOf('collections')}
        onChange={(chosen) => {
          setCollections(chosen);
          if (!chosen) return;
          const limit = limitInFolders(limitOf(owner));
          setScopes(scopes.filter((one) => isWithin(limit, one)));
        }}
      />
      <NativeSelect
        label="Expires"
        data={EXPIRIES.map(([value, label]) => ({ value, label }))}
        value={expiry}
        error={problemOf('expiresAt')}
        onChange={({ currentTarget }) => {
          setExpiry(currentTarget.value as Expiry);
        }}
      />
      {expiry === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          description="The key expires at the end of this day, in your time zone."
          value={day}
          onChange={({ currentTarget }) => {
            setDay(currentTarget.value);
          }}
        />
      )}
      <Textarea
        label="Allowed addresses"
        description="IP addresses and ranges such as 192.0.2.0/24, one per line. Leave empty to allow all."
        rows={2}
        value={addresses}
        error={problemOf('allowedIps')}
        onChange={({ currentTarget }) => {
          setAddresses(currentTarget.value);
        }}
      />
      <LimitsField value={limits} onChange={setLimits} problemOf={problemOf} />
    </FormDialog>
  );
}

/** Returns the time in the format of the API; null is never. */
function expiresAt(expiry: Expiry, day: string): string | null {
  if (expiry === 'never') return null;
  if (expiry !== 'date') return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}
