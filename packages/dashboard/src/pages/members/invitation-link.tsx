import { Alert, Text } from '@mantine/core';
import type { Invitation } from '../../api/people.js';
import type { CloseDialog } from '../../components/dialog.js';
import { ShownOnce } from '../../components/shown-once.js';
import { Time } from '../../components/time.js';

interface InvitationLinkProps {
  title: string;
  invitation: Invitation & { link: string };
  /** Why the service could not also send the link by mail, if it should. */
  mailProblem?: string | undefined;
  onClose: CloseDialog;
}

/** Shows an invitation link. The service stores only its hash. */
export function InvitationLink({ title, invitation, mailProblem, onClose }: InvitationLinkProps) {
  const { email, role, expiresAt, link } = invitation;
  return (
    <ShownOnce
      title={title}
      label="Invitation link"
      value={link}
      copy="Copy link"
      onClose={onClose}
    >
      {mailProblem !== undefined && (
        <Alert role="alert" color="orange" title="The mail was not sent">
          {email} {mailProblem}.
        </Alert>
      )}
      <Text size="sm">
        Send this link to {email} to join as {role}. The link works once and expires on{' '}
        <Time at={expiresAt} format="day" />.
      </Text>
    </ShownOnce>
  );
}
