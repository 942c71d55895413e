import { useCollections } from '../../api/collections.js';
import { FolderChoice } from './folder-choice.js';
import { foldersOf, whyNotInto } from './folders.js';
import { ReadersAlert } from './move-dialogs.js';
import type { MovedDocument } from './use-move.js';

interface TargetFolderProps {
  /** Undefined if they are all that match, which are not loaded. */
  documents: readonly MovedDocument[] | undefined;
  what?: 'it' | 'them';
  value: string | null | undefined;
  onChange: (value: string | null) => void;
}

/** Field for the folder that documents move to, and who can open them there. */
export default function TargetFolder(props: TargetFolderProps) {
  const { documents, what = 'them', value, onChange } = props;
  const { data = [] } = useCollections();
  const folders = foldersOf(data);
  // Documents that are not loaded can be in any folder.
  const from = documents
    ? documents.map(({ collectionId }) => collectionId ?? null)
    : [null, ...folders.byId.keys()];
  return (
    <>
      <FolderChoice
        label="Folder"
        folders={folders}
        rootName="Not in a folder"
        value={value}
        onChange={onChange}
        whyNot={(place) => whyNotInto(folders, place)}
      />
      <ReadersAlert folders={folders} from={from} to={value} what={what} />
    </>
  );
}
