import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import { sessionQuery } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { CodeField, PasswordField } from '../people/person-fields.js';
import { RecoveryCodes } from './recovery-codes.js';

interface CloseProps {
  onClose: CloseDialog;
}

export function TurnOffTwoFactor({ onClose }: CloseProps) {
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const turnOff = useMutation({
    mutationFn: () =>
      dashboardApi.DELETE('/dashboard/api/user/two-factor', {
        body: { password, code: code.trim() },
      }),
    onSuccess: async () => {
      showDone('Two-factor sign-in turned off.');
      await onClose();
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <FormDialog
      title="Turn off two-factor"
      submit="Turn off two-factor"
      color="red"
      submission={turnOff}
      disabled={password === '' || code.trim() === ''}
      onSubmit={() => {
        turnOff.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        You'll sign in with your password only. Your recovery codes stop working.
      </Text>
      <PasswordField
        kind="current"
        value={password}
        onChange={setPassword}
        error={turnOff.error}
        autoFocus
      />
      <CodeField value={code} onChange={setCode} error={turnOff.error} />
    </FormDialog>
  );
}

export function NewRecoveryCodes({ onClose }: CloseProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const make = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.POST('/dashboard/api/user/two-factor/recovery-codes', {
          body: { password, code: code.trim() },
        }),
      ),
    onSuccess: ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
    },
  });
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title="Create new recovery codes"
      submit="Create new codes"
      submission={make}
      disabled={password === '' || code.trim() === ''}
      onSubmit={() => {
        make.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">Your current recovery codes stop working.</Text>
      <PasswordField
        kind="current"
        value={password}
        onChange={setPassword}
        error={make.error}
        autoFocus
      />
      <CodeField value={code} onChange={setCode} error={make.error} />
    </FormDialog>
  );
}
