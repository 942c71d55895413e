import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { useSearchState } from '../../search-state.js';
import { Form } from '../people/form.js';
import { EmailField, NameField, PasswordField } from '../people/person-fields.js';
import { GoOn } from './sign-in-page.js';
import { SignedOutPage } from './signed-out-page.js';
import { useBeginSession } from './use-begin-session.js';

export function SignUpPage() {
  const { user, signUp } = useSession();
  const [{ next }] = useSearchState();
  if (user) return <GoOn next={next} />;
  const signInLink = (
    <AppLink td="underline" to="/sign-in" search={next === undefined ? {} : { next }}>
      Sign in
    </AppLink>
  );
  if (signUp === 'closed') {
    return (
      <SignedOutPage
        title="Create account"
        sentence="You need an invitation to create an account. Ask an owner or admin of the account."
      >
        <Text size="sm">{signInLink}</Text>
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage title="Create account" sentence="You get your own account on the Free plan.">
      <Stack>
        <SignUpForm next={next} />
        <Text size="sm" c="dimmed">
          Already have an account? {signInLink}
        </Text>
      </Stack>
    </SignedOutPage>
  );
}

function SignUpForm({ next }: { next: string | undefined }) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const begin = useBeginSession();
  const create = useMutation({
    mutationFn: () =>
      dataOf(dashboardApi.POST('/dashboard/api/users', { body: { email, name, password } })),
    onSuccess: (session) => {
      begin(session, next);
    },
  });
  return (
    <Form
      submit="Create account"
      wide
      submission={create}
      onSubmit={() => {
        create.mutate();
      }}
    >
      <EmailField value={email} onChange={setEmail} error={create.error} autoFocus />
      <NameField value={name} onChange={setName} error={create.error} />
      <PasswordField value={password} onChange={setPassword} error={create.error} kind="new" />
    </Form>
  );
}
