import { AppLink } from '../../components/app-link.js';
import { Icon } from '../../components/icons.js';
import type { Folder } from './folders.js';
import classes from './folders.module.css';

interface FolderCrumbsProps {
  /** The folders, from the top of the tree. */
  path: readonly Folder[];
  /** Shows one line. Narrow windows show only the last link, phones only its arrow. */
  isShort?: boolean;
}

/** Links to the list of documents and to folders. */
export function FolderCrumbs({ path, isShort = false }: FolderCrumbsProps) {
  return (
    <ol className={classes.crumbs} data-short={isShort || undefined}>
      <li>
        <AppLink to="/{-$accountId}/documents" search={{}}>
          Documents
        </AppLink>
      </li>
      {path.map(({ id, name }) => (
        <li key={id}>
          <AppLink
            to="/{-$accountId}/documents"
            search={{ folder: id } as never}
            title={name}
            dir="auto"
          >
            {isShort && <Icon name="left" />}
            <span>{name}</span>
          </AppLink>
        </li>
      ))}
    </ol>
  );
}
