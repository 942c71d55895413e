import { useMemo, type ReactNode } from 'react';
import { useCollections } from '../../api/collections.js';
import { AccountProvider, useAccount, type CurrentAccount, type Scope } from '../../api/session.js';

/** Scopes that a folder allows only with the right to edit it. */
const EDITING: ReadonlySet<Scope> = new Set([
  'documents:write',
  'documents:delete',
  'documents:analyze',
  'collections:write',
]);

/** Returns the account without the scopes that change a folder. */
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

/** Disables the actions in its content that the person's right in a folder does not allow. */
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
