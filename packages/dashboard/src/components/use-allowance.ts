import { useAccount, type Scope } from '../api/session.js';

/** What a button is given that the person's role may not use: switched off, with the reason as its title. */
export function useAllowance(scope: Scope): { disabled?: true; title?: string } {
  const { may, role } = useAccount();
  if (may(scope)) return {};
  return { disabled: true, title: `Your role (${role}) doesn't include the scope ${scope}.` };
}
