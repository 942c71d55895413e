import { Button, Divider, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useSession } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { useSearchState } from '../../search-state.js';
import { CodeField, EmailField, PasswordField } from '../people/person-fields.js';
import { Form } from '../people/form.js';
import { pathAfterSignIn } from './next-page.js';
import { ProviderFailure } from './provider-failure.js';
import { SignedOutPage } from './signed-out-page.js';
import { useBeginSession } from './use-begin-session.js';

export function SignInPage() {
  const { user, signUp, oidc } = useSession();
  const [{ next, error }] = useSearchState();
  if (user) return <GoOn next={next} />;
  return (
    <SignedOutPage title="Sign in">
      <Stack>
        {error !== undefined && (
          <ProviderFailure provider={oidc?.name ?? 'the provider'} code={error} />
        )}
        <SignInForm next={next} />
        {oidc && (
          <>
            <Divider label="or" />
            <Button
              component="a"
              variant="default"
              href={`/dashboard/api/oidc/start?next=${encodeURIComponent(pathAfterSignIn(next))}`}
            >
              Sign in with {oidc.name}
            </Button>
          </>
        )}
        <Text size="sm" c="dimmed">
          {signUp === 'open' ? (
            <>
              No account yet?{' '}
              <AppLink td="underline" to="/sign-up" search={next === undefined ? {} : { next }}>
                Create account
              </AppLink>
            </>
          ) : (
            'No account yet? Ask an account owner, admin or your operator for an invitation.'
          )}
        </Text>
        <Text size="sm" c="dimmed">
          Forgot your password? Your operator can create a reset link:{' '}
          <code>npm run cli -- users reset-password</code>
        </Text>
      </Stack>
    </SignedOutPage>
  );
}

/** Redirects people who are already signed in to the page they wanted. */
export function GoOn({ next }: { next: string | undefined }) {
  const { history } = useRouter();
  useEffect(() => {
    history.replace(pathAfterSignIn(next));
  }, [history, next]);
  return null;
}

function SignInForm({ next }: { next: string | undefined }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const begin = useBeginSession();
  const signIn = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.POST('/dashboard/api/session', {
          body: { email, password, ...(code !== '' && { code: code.trim() }) },
        }),
      ),
    onSuccess: (session) => {
      begin(session, next);
    },
    onError: (error) => {
      if (asFailure(error).details.code === 'second factor') setAsksCode(true);
    },
  });
  // Asking for a code is no failure if the person was not asked for one before.
  const isFirstQuestion = asksCode && code === '';
  return (
    <Form
      submit="Sign in"
      wide
      submission={{ isPending: signIn.isPending, error: isFirstQuestion ? null : signIn.error }}
      onSubmit={() => {
        signIn.mutate();
      }}
    >
      <EmailField value={email} onChange={setEmail} error={signIn.error} autoFocus />
      <PasswordField value={password} onChange={setPassword} error={signIn.error} kind="current" />
      {asksCode && <CodeField value={code} onChange={setCode} error={signIn.error} autoFocus />}
    </Form>
  );
}
