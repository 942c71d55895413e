import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/client.js';
import { sessionQuery, useSession, useUser } from '../../api/session.js';
import { showDone } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { Form } from '../people/form.js';
import { PasswordField } from '../people/person-fields.js';
import { SESSIONS } from './sessions-section.js';

/** Changes the password, or sets the first one for a person who signs in with a provider. */
export function PasswordSection() {
  const { hasPassword, email } = useUser();
  const { oidc } = useSession();
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () =>
      dashboardApi.POST('/dashboard/api/user/password', {
        body: { newPassword: password, ...(hasPassword && { currentPassword: current }) },
      }),
    onSuccess: async () => {
      showDone('Password changed. Other sessions were signed out.');
      setCurrent('');
      setPassword('');
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: SESSIONS });
    },
  });
  return (
    <Section title="Password">
      <Stack maw={420}>
        <Text size="sm">
          {hasPassword
            ? 'Changing your password signs out all other sessions.'
            : 'You sign in with a provider. Set a password to sign in without it.'}
        </Text>
        <Form
          submit={hasPassword ? 'Change password' : 'Set password'}
          submission={change}
          disabled={password === '' || (hasPassword && current === '')}
          onSubmit={() => {
            change.mutate();
          }}
        >
          {/* Tells password managers the user name for the new password. */}
          <input
            className="visually-hidden"
            type="email"
            autoComplete="username"
            value={email}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          {hasPassword && (
            <PasswordField
              label="Current password"
              field="currentPassword"
              kind="current"
              value={current}
              onChange={setCurrent}
              error={change.error}
            />
          )}
          <PasswordField
            label="New password"
            field="newPassword"
            kind="new"
            value={password}
            onChange={setPassword}
            error={change.error}
          />
        </Form>
        {oidc && hasPassword && (
          <>
            <Text size="sm">
              Sign in with {oidc.name} once while you are signed in here. Then {oidc.name} verifies
              your email address, and you can use it instead of your password.
            </Text>
            <Button
              component="a"
              variant="default"
              href={`/dashboard/api/oidc/start?next=${encodeURIComponent('/dashboard/profile')}`}
            >
              Connect {oidc.name}
            </Button>
          </>
        )}
      </Stack>
    </Section>
  );
}
