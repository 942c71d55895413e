import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import {
  serviceAccountsQuery,
  type ServiceAccount,
  type ServiceRole,
} from '../../api/service-accounts.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { useAllowance } from '../../components/use-allowance.js';
import { capitalized } from '../../components/words.js';
import { problemOf } from '../people/person-fields.js';

/** What the keys of a service account can do, as the end of a sentence that starts with "can". */
const ROLES: Readonly<Record<ServiceRole, string>> = {
  viewer: 'read documents, templates, webhooks and events, and propose changes',
  member: 'write documents and templates, and read webhooks and events',
  admin: 'use documents, templates, webhooks and API keys, and read the audit log',
};

interface ServiceAccountFormProps {
  /** Missing for a new one. */
  service?: ServiceAccount;
  onClose: CloseDialog;
}

/** Creates or changes a service account. */
export function ServiceAccountForm({ service, onClose }: ServiceAccountFormProps) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('keys:write');
  const queryClient = useQueryClient();
  const [name, setName] = useState(service?.name ?? '');
  const [role, setRole] = useState<ServiceRole>(service?.role ?? 'member');
  const save = useMutation({
    mutationFn: () => {
      const body = { name, role };
      if (!service) return dataOf(api.POST('/v1/service-accounts', { body }));
      const params = { path: { id: service.id } };
      return dataOf(api.PATCH('/v1/service-accounts/{id}', { params, body }));
    },
    onSuccess: async (saved) => {
      showDone(service ? 'Saved' : `${saved.name} created.`);
      await onClose();
      await queryClient.invalidateQueries(serviceAccountsQuery(accountId, api));
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title={service ? 'Edit service account' : 'Create service account'}
      submit={service ? 'Save service account' : 'Create service account'}
      submission={save}
      disabled={name.trim() === ''}
      onSubmit={() => {
        save.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What uses its keys, such as “Website sync”."
        value={name}
        maxLength={100}
        data-autofocus
        error={problemOf(save.error, 'name')}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
      <NativeSelect
        label="Role"
        description={`Its keys can ${ROLES[role]}.`}
        data={Object.keys(ROLES).map((value) => ({ value, label: capitalized(value) }))}
        value={role}
        error={problemOf(save.error, 'role')}
        onChange={({ currentTarget }) => {
          setRole(currentTarget.value as ServiceRole);
        }}
      />
    </FormDialog>
  );
}
