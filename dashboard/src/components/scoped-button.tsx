import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAccount, type Scope } from '../api/session.js';

interface ScopedButtonProps extends ButtonProps {
  /** What it needs; a role without it cannot press it, and is told why. */
  scope: Scope;
  onClick: () => void;
  children: ReactNode;
}

/** A button that only some roles may use. */
export function ScopedButton({ scope, onClick, children, ...others }: ScopedButtonProps) {
  const { may, role } = useAccount();
  if (may(scope)) {
    return (
      <Button {...others} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <Button {...others} disabled title={`Your role, ${role}, does not have ${scope}.`}>
      {children}
    </Button>
  );
}
