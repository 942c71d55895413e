import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useUser } from '../../api/session.js';
import { Section } from '../../components/page.js';
import { RecoveryCodes } from './recovery-codes.js';
import { NewRecoveryCodes, TurnOffTwoFactor } from './two-factor-changes.js';
import { TurnOnTwoFactor } from './turn-on-two-factor.js';

type Step =
  | { kind: 'on' | 'off' | 'new codes' }
  /** Codes that were just made: they live here only. */
  | { kind: 'codes'; codes: readonly string[] };

/** A second step of signing in, by an authenticator app. */
export function TwoFactorSection() {
  const { twoFactor, hasPassword } = useUser();
  const [step, setStep] = useState<Step>();
  const close = () => {
    setStep(undefined);
  };
  const showCodes = (codes: readonly string[]) => {
    setStep({ kind: 'codes', codes });
  };
  return (
    <Section title="Two-factor sign-in">
      <Stack align="flex-start">
        <Text size="sm" maw={620}>
          Signing in asks for a code of an authenticator app as well: a password that somebody has
          guessed or stolen is not enough.{' '}
          <Badge color={twoFactor ? 'green' : 'gray'}>{twoFactor ? 'On' : 'Off'}</Badge>
        </Text>
        {twoFactor ? (
          <Group>
            <Button
              variant="default"
              onClick={() => {
                setStep({ kind: 'new codes' });
              }}
            >
              New recovery codes
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setStep({ kind: 'off' });
              }}
            >
              Turn off
            </Button>
          </Group>
        ) : (
          <>
            <Button
              disabled={!hasPassword}
              onClick={() => {
                setStep({ kind: 'on' });
              }}
            >
              Turn on
            </Button>
            {!hasPassword && (
              <Text size="sm" c="dimmed">
                Set a password first: your provider asks for a second step by itself.
              </Text>
            )}
          </>
        )}
      </Stack>
      {step?.kind === 'on' && <TurnOnTwoFactor onClose={close} onCodes={showCodes} />}
      {step?.kind === 'off' && <TurnOffTwoFactor onClose={close} />}
      {step?.kind === 'new codes' && <NewRecoveryCodes onClose={close} onCodes={showCodes} />}
      {step?.kind === 'codes' && <RecoveryCodes codes={step.codes} onClose={close} />}
    </Section>
  );
}
