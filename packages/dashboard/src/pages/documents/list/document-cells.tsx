import { AppLink } from '../../../components/app-link.js';
import type { Column } from '../../../components/data-table.js';
import { formatCount, nounOf } from '../../../components/numbers.js';
import { Time } from '../../../components/time.js';
import { useSearchState } from '../../../search-state.js';
import { tagsOf, type DocumentListItem } from '../document-types.js';
import { Highlight } from '../highlight.js';
import { StatusBadge } from '../status-badge.js';
import classes from './list.module.css';

const TITLE: Column<DocumentListItem> = {
  title: 'Title',
  kind: 'main',
  cell: (document) => (
    <>
      <Title document={document} />
      {typeof document.highlight === 'string' ? (
        <span className={classes.excerpt}>
          <Highlight html={document.highlight} />
        </span>
      ) : (
        <Tags document={document} />
      )}
    </>
  ),
};
const STATUS: Column<DocumentListItem> = {
  title: 'Status',
  cell: ({ status }) => <StatusBadge status={status} />,
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

export const COLUMNS: readonly Column<DocumentListItem>[] = [TITLE, STATUS, LAST_EDITED, WORDS];
export const COLUMNS_IN_TRASH: readonly Column<DocumentListItem>[] = [
  TITLE,
  STATUS,
  DELETED,
  WORDS,
];

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

/** Maximum number of tags per row, followed by the number of the others. */
const SHOWN_TAGS = 2;

function Tags({ document }: { document: DocumentListItem }) {
  const [, change] = useSearchState();
  const tags = tagsOf(document);
  if (tags.length === 0) return null;
  const others = tags.slice(SHOWN_TAGS);
  return (
    <span className={classes.below}>
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
