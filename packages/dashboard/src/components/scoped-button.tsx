import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Scope } from '../api/session.js';
import { useAllowance } from './use-allowance.js';

interface ScopedButtonProps extends ButtonProps {
  /** Required scope. Without it, the button is disabled and its title says why. */
  scope: Scope;
  onClick: () => void;
  children: ReactNode;
}

/** A button that only some roles may use. */
export function ScopedButton({ scope, children, ...others }: ScopedButtonProps) {
  const allowance = useAllowance(scope);
  return (
    <Button {...others} {...allowance}>
      {children}
    </Button>
  );
}
