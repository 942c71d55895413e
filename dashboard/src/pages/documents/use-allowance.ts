import { useAccount, type Scope } from '../../api/session.js';

const DOING: Readonly<Partial<Record<Scope, string>>> = {
  'documents:write': 'change documents',
  'documents:delete': 'delete documents for good',
  'documents:analyze': 'analyze documents',
  'templates:write': 'change templates',
};

/** What a button is given that the person's role may not use: switched off, with the reason as its title. */
export function useAllowance(scope: Scope): { disabled?: true; title?: string } {
  const { may, role } = useAccount();
  if (may(scope)) return {};
  return { disabled: true, title: `A ${role} may not ${DOING[scope] ?? 'do this'}.` };
}
