import { Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import { sessionQuery } from '../../api/session.js';
import { CopyButton } from '../../components/copy-button.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { LoadingLines } from '../../components/page-loading.js';
import { CodeField, PasswordField } from '../people/person-fields.js';
import { loadPart } from '../../load-part.js';
import { RecoveryCodes } from './recovery-codes.js';

const QrCode = lazy(() => loadPart(() => import('../people/qr-code.js')));

interface TurnOnTwoFactorProps {
  onClose: CloseDialog;
}

/** Asks for the password, shows the secret, and turns two-factor authentication on after a valid code. */
export function TurnOnTwoFactor({ onClose }: TurnOnTwoFactorProps) {
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = useMutation({
    mutationFn: () =>
      dataOf(dashboardApi.POST('/dashboard/api/user/two-factor', { body: { password } })),
  });
  const confirm = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.POST('/dashboard/api/user/two-factor/confirm', {
          body: { code: code.trim() },
        }),
      ),
    onSuccess: async ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (!begin.data) {
    return (
      <FormDialog
        key="password"
        title="Turn on two-factor"
        submit="Continue"
        submission={begin}
        disabled={password === ''}
        onSubmit={() => {
          begin.mutate();
        }}
        onClose={onClose}
      >
        <Text size="sm">Confirm your password to continue.</Text>
        <PasswordField
          kind="current"
          value={password}
          onChange={setPassword}
          error={begin.error}
          autoFocus
        />
      </FormDialog>
    );
  }
  const { secret, uri } = begin.data;
  return (
    <FormDialog
      title="Turn on two-factor"
      submit="Turn on two-factor"
      submission={confirm}
      disabled={code.trim() === ''}
      onSubmit={() => {
        confirm.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Scan the QR code with your authenticator app or type the secret. Then enter the code.
      </Text>
      <Suspense fallback={<LoadingLines rows={1} height={200} />}>
        <QrCode text={uri} name="QR code of the secret" />
      </Suspense>
      <Stack gap={4}>
        <Text size="sm">Secret</Text>
        <Group gap="xs">
          <Code>{secret}</Code>
          <CopyButton name="Copy secret" text={secret} />
        </Group>
      </Stack>
      <CodeField recovery={false} value={code} onChange={setCode} error={confirm.error} autoFocus />
    </FormDialog>
  );
}
