import { Text } from '@mantine/core';
import type { Right } from '../../api/collections.js';
import type { Member } from '../../api/people.js';
import { useSession } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { type CloseDialog, Dialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { decidingFolder, pathName, RIGHTS, shownRows, type Folders } from '../folders/folders.js';
import classes from '../folders/folders.module.css';
import { ableTo, managesAllFolders } from '../folders/rights.js';
import { useAccesses, type OwnAccess } from '../folders/use-accesses.js';

interface MemberFoldersProps {
  member: Member;
  onClose: CloseDialog;
}

/** Shows which folders a person can open, and what they can do there. */
export function MemberFolders({ member, onClose }: MemberFoldersProps) {
  const { folders, accesses, error, hasMore, refetch } = useAccesses();
  return (
    <Dialog title="Folders" size="lg" onClose={onClose}>
      {error ? (
        <FailureAlert error={error} onRetry={refetch} />
      ) : folders && accesses ? (
        <>
          <FolderList member={member} folders={folders} accesses={accesses} />
          {hasMore && (
            <Text size="sm" c="dimmed" mt="sm">
              The account has more folders with their own access than this list can show.
            </Text>
          )}
        </>
      ) : (
        <LoadingLines rows={5} height={32} />
      )}
    </Dialog>
  );
}

interface FolderListProps {
  member: Member;
  folders: Folders;
  accesses: ReadonlyMap<string, OwnAccess>;
}

function FolderList({ member, folders, accesses }: FolderListProps) {
  const { roles } = useSession();
  const { name, role } = member;
  if (managesAllFolders(role)) {
    return (
      <Text size="sm">
        {name} has the role {role}, and can open and manage every folder.
      </Text>
    );
  }
  const rows = shownRows(folders);
  if (rows.length === 0) return <Text size="sm">This account has no folders yet.</Text>;
  const known = rows.flatMap(({ folder }) => {
    const decides = decidingFolder(folders, folder.id);
    const access = decides && accesses.get(decides.id);
    if (decides && !access) return [];
    return [{ folder, right: access ? rightOf(access, member.userId) : ('editor' as const) }];
  });
  return (
    <>
      <Text size="sm" mb="sm">
        {name} can also open all documents that are not in a folder.
      </Text>
      <ul className={classes.entries} aria-label={`Folders of ${name}`}>
        {known.map(({ folder, right }) => (
          <li key={folder.id}>
            <span className={classes.person}>
              <AppLink
                to="/{-$accountId}/documents"
                search={{ folder: folder.id } as never}
                dir="auto"
              >
                {pathName(folders, folder.id)}
              </AppLink>
            </span>
            <span>{right === null ? 'No access' : ableTo(right, role, roles)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the highest right that an access gives to a person. */
function rightOf({ everyone, people }: OwnAccess, userId: string): Right | null {
  const given = people.filter((entry) => entry.userId === userId).map(({ right }) => right);
  return RIGHTS.findLast((right) => right === everyone || given.includes(right)) ?? null;
}
