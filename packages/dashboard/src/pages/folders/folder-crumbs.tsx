import { AppLink } from '../../components/app-link.js';
import { Icon } from '../../components/icons.js';
import type { Folder } from './folders.js';
import classes from './folders.module.css';

interface FolderCrumbsProps {
  /** From the top. */
  path: readonly Folder[];
  /** On one line; in narrow windows, only the last one, and on phones as an arrow. */
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
