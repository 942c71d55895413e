import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../../api/client.js';
import { asFailure, type Failure } from '../../api/failure.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { FirstRunLink } from './first-run-link.js';
import { InvitationLink } from './invitation-link.js';
import { PasswordLink } from './password-link.js';
import { SignedOutPage } from './signed-out-page.js';
import { useLinkToken } from './use-link-token.js';

/** Titles for links that are no longer valid. The service explains each. */
const NO_GOOD: Readonly<Record<string, string>> = {
  used: 'This link was already used',
  expired: 'This link has expired',
  revoked: 'This link was revoked',
  unknown: 'This link is invalid',
};

/** Page of a one-time link. The service reports what the link is for. */
export function LinkPage() {
  const token = useLinkToken();
  if (token === undefined) {
    return (
      <LinkIsNoGood
        title="This link is incomplete"
        sentence="The part after # is missing. Copy the complete link and open it again."
      />
    );
  }
  return <LinkOf token={token} key={token} />;
}

function LinkOf({ token }: { token: string }) {
  const preview = useQuery({
    queryKey: ['link', token],
    queryFn: () => dataOf(dashboardApi.POST('/dashboard/api/links/preview', { body: { token } })),
    // Loaded once, because the link is invalid after its use.
    staleTime: 'static',
    gcTime: 0,
  });
  if (preview.data) {
    switch (preview.data.purpose) {
      case 'first-run':
        return <FirstRunLink token={token} link={preview.data} />;
      case 'invitation':
        return <InvitationLink token={token} link={preview.data} />;
      case 'password':
        return <PasswordLink token={token} link={preview.data} />;
    }
  }
  const failure = preview.error ? asFailure(preview.error) : undefined;
  const title = titleOf(failure);
  if (title !== undefined) return <LinkIsNoGood title={title} sentence={failure?.message ?? ''} />;
  return (
    <SignedOutPage title="Loading…">
      {failure ? (
        <FailureAlert error={failure} onRetry={() => void preview.refetch()} />
      ) : (
        <LoadingLines rows={5} height={36} />
      )}
    </SignedOutPage>
  );
}

function titleOf(failure: Failure | undefined): string | undefined {
  if (failure?.status !== 404) return undefined;
  return NO_GOOD[failure.details.code ?? 'unknown'] ?? NO_GOOD.unknown;
}

function LinkIsNoGood({ title, sentence }: { title: string; sentence: string }) {
  return (
    <SignedOutPage title={title}>
      <Text size="sm" role="alert" mb="md">
        {sentence}
      </Text>
      <AppLink td="underline" to="/sign-in">
        Sign in
      </AppLink>
    </SignedOutPage>
  );
}
