import { Button, Divider, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { useSearchState } from '../../search-state.js';
import { EmailField, PasswordField } from '../people/person-fields.js';
import { Form } from '../people/form.js';
import { pathAfterSignIn } from './next-page.js';
import { ProviderFailure } from './provider-failure.js';
import { SignedOutPage } from './signed-out-page.js';
import { useBeginSession } from './use-begin-session.js';
import { useSecondFactor } from './use-second-factor.js';

export function SignInPage() {
  const { user, signUp, oidc, mail } = useSession();
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
          {mail ? (
            <>
              Forgot your password?{' '}
              <AppLink td="underline" to="/forgot-password">
                Reset password
              </AppLink>
            </>
          ) : (
            'Forgot your password? Ask the person who runs this service for a link to set a new one.'
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {signUp === 'open' ? (
            <>
              No account yet?{' '}
              <AppLink td="underline" to="/sign-up" search={next === undefined ? {} : { next }}>
                Create account
              </AppLink>
            </>
          ) : (
            'No account yet? Ask an owner or admin of the account for an invitation.'
          )}
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
  const begin = useBeginSession();
  const signIn = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.POST('/dashboard/api/session', {
          body: { email, password, ...factor.fields },
        }),
      ),
    onSuccess: (session) => {
      begin(session, next);
    },
  });
  const factor = useSecondFactor(signIn.error);
  return (
    <Form
      submit="Sign in"
      wide
      submission={{ isPending: signIn.isPending, error: factor.otherError }}
      onSubmit={() => {
        signIn.mutate();
      }}
    >
      <EmailField value={email} onChange={setEmail} error={signIn.error} autoFocus />
      <PasswordField
        value={password}
        onChange={setPassword}
        error={signIn.error}
        problem={factor.passwordProblem}
        kind="current"
      />
      {factor.field}
    </Form>
  );
}
