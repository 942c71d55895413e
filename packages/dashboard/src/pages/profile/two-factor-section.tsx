import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useUser } from '../../api/session.js';
import { Section } from '../../components/page.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { NewRecoveryCodes, TurnOffTwoFactor } from './two-factor-changes.js';
import { TurnOnTwoFactor } from './turn-on-two-factor.js';

/** Two-factor authentication with an authenticator app. */
export function TwoFactorSection() {
  const { twoFactor, hasPassword } = useUser();
  const { dialog, open, close } = useDialogs();
  return (
    <Section title="Two-factor sign-in">
      <Stack align="flex-start">
        <Text size="sm" maw={620}>
          Require a code from your authenticator app when you sign in.{' '}
          <Badge color={twoFactor ? 'green' : 'gray'}>{twoFactor ? 'On' : 'Off'}</Badge>
        </Text>
        {twoFactor ? (
          <Group>
            <Button
              variant="default"
              onClick={() => {
                open('new-recovery-codes');
              }}
            >
              Create new recovery codes
            </Button>
            <Button
              variant="default"
              onClick={() => {
                open('turn-off-two-factor');
              }}
            >
              Turn off two-factor
            </Button>
          </Group>
        ) : (
          <>
            <Button
              disabled={!hasPassword}
              onClick={() => {
                open('turn-on-two-factor');
              }}
            >
              Turn on two-factor
            </Button>
            {!hasPassword && (
              <Text size="sm" c="dimmed">
                Set a password first. Your provider handles its own second step.
              </Text>
            )}
          </>
        )}
      </Stack>
      {dialog === 'turn-on-two-factor' && <TurnOnTwoFactor onClose={close} />}
      {dialog === 'turn-off-two-factor' && <TurnOffTwoFactor onClose={close} />}
      {dialog === 'new-recovery-codes' && <NewRecoveryCodes onClose={close} />}
    </Section>
  );
}
