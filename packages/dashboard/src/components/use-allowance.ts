import { useAccount, type Scope } from '../api/session.js';

/** Returns the props of a button that the person's role may not use: disabled, with the reason as its title. */
export function useAllowance(scope: Scope): { disabled?: true; title?: string } {
  const { may, role, whyNot } = useAccount();
  if (may(scope)) return {};
  return {
    disabled: true,
    title: whyNot ?? `Your role (${role}) doesn't include the scope ${scope}.`,
  };
}
