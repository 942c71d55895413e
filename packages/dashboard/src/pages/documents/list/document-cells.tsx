import type { ReactNode } from 'react';
import { AppLink } from '../../../components/app-link.js';
import type { Column } from '../../../components/data-table.js';
import { formatCount, nounOf } from '../../../components/numbers.js';
import { Time } from '../../../components/time.js';
import { useSearchState } from '../../../search-state.js';
import type { Folder, Folders } from '../../folders/folders.js';
import { tagsOf, type DocumentListItem } from '../document-types.js';
import { Highlight } from '../highlight.js';
import type { DocumentFilters } from '../list-query.js';
import { StatusBadge } from '../status-badge.js';
import classes from './list.module.css';

/** Returns the column with the title and, below it, the folder and either the text found or the tags. */
function titleColumn(
  folderOf: (document: DocumentListItem) => Folder | undefined,
): Column<DocumentListItem> {
  return {
    title: 'Title',
    kind: 'main',
    cell: (document) => {
      const folder = folderOf(document);
      const place = folder && <FolderLink folder={folder} />;
      return (
        <>
          <Title document={document} />
          {typeof document.highlight === 'string' ? (
            <span className={classes.excerpt}>
              {place}
              <Highlight html={document.highlight} />
            </span>
          ) : (
            <Below place={place} tags={tagsOf(document)} />
          )}
        </>
      );
    },
  };
}
const STATUS: Column<DocumentListItem> = {
  title: 'Status',
  cell: ({ status, published }) => (
    <>
      <StatusBadge status={status} />{' '}
      {published?.changed && (
        <span className={classes.changed} title="Unpublished changes">
          with changes
        </span>
      )}
    </>
  ),
  kind: 'narrow',
};
const LAST_EDITED: Column<DocumentListItem> = {
  title: 'Last edited',
  cell: (document) => <LastEdited document={document} />,
  kind: 'narrow',
};
const DELETED: Column<DocumentListItem> = {
  title: 'Deleted',
  cell: ({ deletedAt }) => deletedAt !== undefined && <Time at={deletedAt} />,
  kind: 'narrow',
  phoneLabel: 'Deleted',
};
const WORDS: Column<DocumentListItem> = {
  title: 'Words',
  cell: ({ wordCount }) => formatCount(wordCount),
  kind: 'number',
  phoneUnit: ({ wordCount }) => nounOf(wordCount, 'word'),
};

/** Returns the columns of the list. A row has a link to its folder, unless that is the open one. */
export function columnsOf(
  folders: Folders,
  { collection, deleted }: DocumentFilters,
): Column<DocumentListItem>[] {
  const title = titleColumn(({ collectionId }) =>
    collectionId === collection ? undefined : folders.byId.get(collectionId ?? ''),
  );
  return [title, STATUS, deleted === true ? DELETED : LAST_EDITED, WORDS];
}

/** A link, unless the document is in the trash. */
function Title({ document: { id, title, deletedAt } }: { document: DocumentListItem }) {
  if (deletedAt !== undefined) {
    return (
      <span className={classes.title} dir="auto" title={title}>
        {title}
      </span>
    );
  }
  return (
    <AppLink
      to="/{-$accountId}/documents/$documentId"
      params={((previous: object) => ({ ...previous, documentId: id })) as never}
      className={classes.title}
      dir="auto"
      title={title}
    >
      {title}
    </AppLink>
  );
}

function FolderLink({ folder: { id, name } }: { folder: Folder }) {
  return (
    <AppLink
      to="/{-$accountId}/documents"
      search={{ folder: id } as never}
      className={classes.place}
      aria-label={`Folder ${name}`}
      dir="auto"
      title={name}
    >
      {name}
    </AppLink>
  );
}

/** Maximum number of tags per row, followed by the number of the others. */
const SHOWN_TAGS = 2;

function Below({ place, tags }: { place: ReactNode; tags: readonly string[] }) {
  const [, change] = useSearchState();
  if (place === undefined && tags.length === 0) return null;
  const others = tags.slice(SHOWN_TAGS);
  return (
    <span className={classes.below}>
      {place}
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <button
          key={tag}
          type="button"
          title="Filter by this tag"
          className={classes.tag}
          onClick={() => {
            change({ tag });
          }}
        >
          {tag}
        </button>
      ))}
      {others.length > 0 && <span title={others.join(', ')}>+{others.length}</span>}
    </span>
  );
}

function LastEdited({ document: { updatedAt, updatedBy } }: { document: DocumentListItem }) {
  return (
    <>
      <Time at={updatedAt} />
      <span className={classes.by}> by {updatedBy.name}</span>
    </>
  );
}
