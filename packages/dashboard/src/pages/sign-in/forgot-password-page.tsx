import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { Form } from '../people/form.js';
import { EmailField } from '../people/person-fields.js';
import { SignedOutPage } from './signed-out-page.js';

/** Sends a link to set a new password by mail, or says who can help if the service sends no mail. */
export function ForgotPasswordPage() {
  const { mail } = useSession();
  const [email, setEmail] = useState('');
  const send = useMutation({
    mutationFn: () =>
      dashboardApi.POST('/dashboard/api/links/password', { body: { email: email.trim() } }),
  });
  const signInLink = (
    <Text size="sm">
      <AppLink to="/sign-in">Back to sign in</AppLink>
    </Text>
  );
  if (!mail) {
    return (
      <SignedOutPage
        title="Reset password"
        sentence="This service sends no mail. Ask the person who runs it for a link to set a new password."
      >
        {signInLink}
      </SignedOutPage>
    );
  }
  if (send.isSuccess) {
    return (
      <SignedOutPage title="Check your email">
        <Stack>
          {/* The same for every address, so that the page does not tell who has an account. */}
          <Text size="sm" role="status">
            If <strong>{email.trim()}</strong> has an account, we sent a link to set a new password.
            It works once, for 24 hours.
          </Text>
          <Text size="sm" c="dimmed">
            No mail? Check your spam folder and the address.
          </Text>
          {signInLink}
        </Stack>
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage title="Reset password" sentence="We send you a link to set a new password.">
      <Stack>
        <Form
          submit="Send link"
          wide
          submission={send}
          disabled={email.trim() === ''}
          onSubmit={() => {
            send.mutate();
          }}
        >
          <EmailField value={email} onChange={setEmail} error={send.error} autoFocus />
        </Form>
        {signInLink}
      </Stack>
    </SignedOutPage>
  );
}
