import { useMemo, type ReactNode } from 'react';
import { useCollections } from '../../api/collections.js';
import { AccountProvider, useAccount, type CurrentAccount, type Scope } from '../../api/session.js';

/** Scopes that a person needs the right to edit a folder for. */
const EDITING: ReadonlySet<Scope> = new Set([
  'documents:write',
  'documents:delete',
  'documents:analyze',
  'collections:write',
]);

/** Returns the account as it is in a folder that the person can only view. */
function viewOnly(account: CurrentAccount, name: string): CurrentAccount {
  return {
    ...account,
    may: (scope) => account.may(scope) && !EDITING.has(scope),
    whyNot: `You can only view “${name}”.`,
  };
}

interface FolderRightProps {
  /** The folder that the content belongs to. */
  folderId: string | null | undefined;
  children: ReactNode;
}

/** Disables in its content what the person may not do in a folder, although their role may. */
export function FolderRight({ folderId, children }: FolderRightProps) {
  const account = useAccount();
  const { data } = useCollections({ enabled: folderId != null });
  const folder = data?.find(({ id }) => id === folderId);
  const name = folder?.right === 'viewer' ? folder.name : undefined;
  const value = useMemo(
    () => (name === undefined ? account : viewOnly(account, name)),
    [account, name],
  );
  return <AccountProvider value={value}>{children}</AccountProvider>;
}
