import { Alert } from '@mantine/core';

/** What the way back from the sign-in provider says in the address, in words that say what to do. */
const SENTENCES: Readonly<Record<string, string>> = {
  'provider-away': 'It cannot be reached right now. Try again shortly, or sign in by password.',
  'provider-refused': 'It did not succeed there, or took too long. Begin again.',
  'email-unverified':
    'It has not verified your e-mail address, so it does not show who you are here. Verify it there, and sign in again.',
  forbidden:
    'Nobody can create an account here without an invitation. An owner or admin of an account can invite you, or ask who runs this service for a link.',
};

interface ProviderFailureProps {
  /** How the provider is called. */
  provider: string;
  /** A key of the sentences; others are told in general, for anybody can write an address. */
  code: string;
}

/** Why signing in by the provider has come back without a session. */
export function ProviderFailure({ provider, code }: ProviderFailureProps) {
  const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return (
    <Alert color="red" role="alert" title={`Signing in with ${provider} did not work`}>
      {sentence ?? 'Try again. If it goes on, ask who runs this service.'}
    </Alert>
  );
}
