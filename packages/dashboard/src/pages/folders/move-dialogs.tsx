import { Alert, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { countOf } from '../../components/numbers.js';
import { FolderChoice } from './folder-choice.js';
import { readersAfter, whyNotInto, whyNotMove, type Folder, type Folders } from './folders.js';
import { useMoves, type MovedDocument } from './use-moves.js';

interface ReadersAlertProps {
  folders: Folders;
  from: readonly (string | null)[];
  /** Undefined until a place is chosen. */
  to: string | null | undefined;
  what: 'it' | 'them';
}

/** Says who can open what is moved, if that changes. */
export function ReadersAlert({ folders, from, to, what }: ReadersAlertProps) {
  const { name: accountName } = useAccount();
  if (to === undefined) return null;
  const sentence = readersAfter(folders, { from, to, accountName, what });
  if (sentence === undefined) return null;
  return (
    <Alert color="orange" role="alert" title="This changes who can open it">
      <Text size="sm">{sentence}</Text>
    </Alert>
  );
}

/** The thing that a dialog moves. */
export type Moved =
  { kind: 'documents'; documents: readonly MovedDocument[] } | { kind: 'folder'; folder: Folder };

interface MoveDialogProps {
  folders: Folders;
  moved: Moved;
  /** Asks only whether to move it there, after something was dropped there. */
  to?: string | null;
  onDone?: () => void;
  onClose: CloseDialog;
}

/** Moves documents or a folder to a place that the person chooses, and says who can open it there. */
export function MoveDialog(props: MoveDialogProps) {
  const { folders, moved, onDone, onClose } = props;
  const { moveDocuments, moveFolder } = useMoves(folders);
  const isFolder = moved.kind === 'folder';
  // A folder with its own access takes it along.
  const from = isFolder
    ? moved.folder.isRestricted
      ? []
      : [moved.folder.parentId]
    : moved.documents.map(({ collectionId }) => collectionId ?? null);
  const isFrom = (place: string | null) =>
    from.every((one) => one === place) ? "It's already here." : undefined;
  const [to, setTo] = useState(props.to);
  const move = useMutation({
    mutationFn: async (place: string | null) =>
      isFolder ? moveFolder(moved.folder, place) : moveDocuments(moved.documents, place),
    onSuccess: async () => {
      onDone?.();
      await onClose();
    },
  });
  const name = nameOf(moved);
  const target = to == null ? undefined : folders.byId.get(to)?.name;
  return (
    <FormDialog
      title="Move to folder"
      submit="Move"
      submission={move}
      disabled={to === undefined}
      isUnsaved={() => false}
      onSubmit={() => {
        if (to !== undefined) move.mutate(to);
      }}
      onClose={onClose}
    >
      {props.to === undefined ? (
        <FolderChoice
          label={`Move ${name} to`}
          folders={folders}
          rootName={isFolder ? 'Top level' : 'Not in a folder'}
          value={to}
          onChange={setTo}
          whyNot={(place) =>
            isFolder
              ? whyNotMove(folders, moved.folder.id, place)
              : (isFrom(place) ?? whyNotInto(folders, place))
          }
        />
      ) : (
        <Text size="sm">
          {target === undefined
            ? `Move ${name} out of its folder?`
            : `Move ${name} to “${target}”?`}
        </Text>
      )}
      <ReadersAlert
        folders={folders}
        from={from}
        to={to}
        what={isFolder || moved.documents.length > 1 ? 'them' : 'it'}
      />
    </FormDialog>
  );
}

function nameOf(moved: Moved): string {
  if (moved.kind === 'folder') return `“${moved.folder.name}”`;
  const [only] = moved.documents;
  return moved.documents.length === 1 && only
    ? `“${only.title}”`
    : countOf(moved.documents.length, 'document');
}
