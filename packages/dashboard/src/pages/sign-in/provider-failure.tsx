import { Alert } from '@mantine/core';

/** Messages for the codes in the URL after a failed sign-in with a provider. */
const SENTENCES: Readonly<Record<string, string>> = {
  'provider-unavailable':
    "Can't reach the provider. Try again shortly, or sign in with your password.",
  'provider-refused': 'The sign-in was refused or took too long. Try again.',
  'email-unverified':
    'Your email address is not verified. Verify the address with the provider, then sign in again.',
  'address-unverified':
    'A user with your email address exists, but the address is unverified. If this user is you, sign in with the password, then connect the provider in your profile. Otherwise ask the person who runs this service for a link.',
  forbidden: 'You need an invitation to create an account. Ask an owner or admin of the account.',
};

interface ProviderFailureProps {
  /** Name of the provider. */
  provider: string;
  /** A key of `SENTENCES`. Unknown codes get a general message, because anyone can write a URL. */
  code: string;
}

/** Shows why signing in with a provider failed. */
export function ProviderFailure({ provider, code }: ProviderFailureProps) {
  const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return (
    <Alert color="red" role="alert" title={`Couldn't sign in with ${provider}`}>
      {sentence ?? 'Try again. If the problem continues, contact the person who runs this service.'}
    </Alert>
  );
}
