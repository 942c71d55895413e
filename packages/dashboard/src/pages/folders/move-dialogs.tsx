import { Alert, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { countOf } from '../../components/numbers.js';
import { FolderChoice } from './folder-choice.js';
import { readersAfter, whyNotInto, whyNotMove, type Folders } from './folders.js';
import { placesOf, useMove, type Moved } from './use-move.js';

interface ReadersAlertProps {
  folders: Folders;
  from: readonly (string | null)[];
  /** Undefined until a place is chosen. */
  to: string | null | undefined;
  what: 'it' | 'them';
}

/** Says who can open what is moved, if the move changes that. */
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

interface MoveDialogProps {
  folders: Folders;
  moved: Moved;
  /** The place that it was dropped on. Without it, the person chooses one. */
  to?: string | null;
  onDone?: () => void;
  onClose: CloseDialog;
}

/** Moves documents or a folder, and says first who can open them in the new place. */
export function MoveDialog(props: MoveDialogProps) {
  const { folders, moved, onDone, onClose } = props;
  const startMove = useMove(folders);
  const isFolder = moved.kind === 'folder';
  const from = placesOf(moved);
  const isFrom = (place: string | null) =>
    from.every((one) => one === place) ? "It's already here." : undefined;
  const [to, setTo] = useState(props.to);
  const move = useMutation({
    mutationFn: (place: string | null) => startMove(moved, place),
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
