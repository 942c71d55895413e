import { Button, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { LinkPreview, Role } from '../../api/people.js';
import { useSession } from '../../api/session.js';
import { Form } from '../people/form.js';
import { EmailField, NameField, PasswordField } from '../people/person-fields.js';
import { ROLE_MEANINGS } from '../people/roles.js';
import { SignedOutPage } from './signed-out-page.js';
import { useLink, type LinkProps } from './use-link.js';
import { useSecondFactor } from './use-second-factor.js';

/** Shows who invites to which account, and accepts the invitation. */
export function InvitationLink(props: LinkProps) {
  const { user } = useSession();
  const { link } = props;
  return (
    <SignedOutPage title="Invitation" sentence={sentenceOf(link)}>
      {user && user.email === link.email ? (
        <JoinAsMyself {...props} name={user.name} />
      ) : (
        <JoinSignedOut {...props} signedInAs={user?.email} />
      )}
    </SignedOutPage>
  );
}

function sentenceOf({ invitedBy, account, role, email }: LinkPreview): ReactNode {
  return (
    <>
      {invitedBy ?? 'Someone'} invites {email} to <strong>{account?.name}</strong> as{' '}
      <strong>{role}</strong>. {role && meaningOf(role)}
    </>
  );
}

function meaningOf(role: Role): string {
  return `You can ${ROLE_MEANINGS[role]}.`;
}

interface OthersProps extends LinkProps {
  /** The signed-in person, if it is another one. */
  signedInAs: string | undefined;
}

/**
 * Asks whether the person is a user already. The service does not say, because the person who invites can open this page,
 * too.
 */
function JoinSignedOut(props: OthersProps) {
  const { oidc } = useSession();
  const [isUser, setIsUser] = useState(false);
  return (
    <Stack>
      {isUser ? <JoinWithPassword {...props} /> : <JoinAsNewUser {...props} />}
      <Button
        variant="subtle"
        size="sm"
        onClick={() => {
          setIsUser(!isUser);
        }}
      >
        {isUser ? "I'm new here" : 'I already have a password'}
      </Button>
      {oidc && (
        <Text size="sm" c="dimmed">
          If you sign in with {oidc.name}, sign in first and then open this link again.
        </Text>
      )}
    </Stack>
  );
}

/** Warns that joining ends the session of another person. */
function OtherSession({ signedInAs }: { signedInAs: string | undefined }) {
  if (signedInAs === undefined) return null;
  return (
    <Text size="sm" c="dimmed">
      You are signed in as {signedInAs}. Joining signs out this session.
    </Text>
  );
}

function JoinAsMyself({ name, ...props }: LinkProps & { name: string }) {
  const use = useLink(props);
  return (
    <Form
      submit="Join account"
      wide
      submission={use}
      onSubmit={() => {
        use.mutate({});
      }}
    >
      <Text size="sm">You are signed in as {name}. No password needed.</Text>
    </Form>
  );
}

function JoinWithPassword({ signedInAs, ...props }: OthersProps) {
  const [password, setPassword] = useState('');
  const use = useLink(props);
  const factor = useSecondFactor(use.error);
  return (
    <Form
      submit="Join account"
      wide
      submission={{ isPending: use.isPending, error: factor.otherError }}
      onSubmit={() => {
        use.mutate({ password, ...factor.fields });
      }}
    >
      <OtherSession signedInAs={signedInAs} />
      <EmailField value={props.link.email ?? ''} onChange={() => undefined} readOnly />
      <PasswordField
        value={password}
        onChange={setPassword}
        error={use.error}
        problem={factor.passwordProblem}
        kind="current"
        autoFocus
      />
      {factor.field}
    </Form>
  );
}

function JoinAsNewUser({ signedInAs, ...props }: OthersProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const use = useLink(props);
  return (
    <Form
      submit="Create account"
      wide
      submission={use}
      onSubmit={() => {
        use.mutate({ name, password });
      }}
    >
      <OtherSession signedInAs={signedInAs} />
      <EmailField value={props.link.email ?? ''} onChange={() => undefined} readOnly />
      <NameField value={name} onChange={setName} error={use.error} autoFocus />
      <PasswordField value={password} onChange={setPassword} error={use.error} kind="new" />
    </Form>
  );
}
