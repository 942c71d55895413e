import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.js';
import { FailureAlert } from './failure-alert.js';
import { LoadingLines } from './page-loading.js';
import { ScrollFrame } from './scroll-frame.js';
import classes from './data-table.module.css';

export interface Column<Row> {
  /** The heading; rows begin with the first column, which holds the link to what the row is about. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** `narrow` takes no more than it needs, `number` stands right. */
  kind?: 'narrow' | 'number';
  /** Left out on a phone. */
  wideOnly?: boolean;
}

/** What is selected of the rows that are shown, by id. */
export interface Selection {
  selected: ReadonlySet<string>;
  change: (ids: ReadonlySet<string>) => void;
}

interface DataTableProps<Row> {
  /** The name of the table, which is that of its page. */
  name: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are on their way. */
  rows: readonly Row[] | undefined;
  idOf: (row: Row) => string;
  /** How a row is called in "Select …" and "Actions for …". */
  nameOf: (row: Row) => string;
  /** Shown instead of the table when there is nothing: what would be here, and how it begins. */
  empty: { sentence: ReactNode; action?: ReactNode };
  error?: unknown;
  onRetry?: () => void;
  selection?: Selection;
  /** The last cell: a {@link RowMenu}. */
  actions?: (row: Row) => ReactNode;
  /** Id of the row whose panel is open. */
  openId?: string | undefined;
  /** Rows of the skeleton. */
  expectedRows?: number;
}

/** A list, in each of its states: loading, empty, failed, and with rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, rows, error, onRetry, empty, expectedRows = 8 } = props;
  if (error !== undefined && error !== null && rows === undefined) {
    return <FailureAlert error={error} {...(onRetry && { onRetry })} />;
  }
  if (!rows) {
    return (
      <div className={classes.frame}>
        <div className={classes.empty}>
          <LoadingLines rows={expectedRows} height={26} />
        </div>
      </div>
    );
  }
  if (rows.length === 0) return <EmptyState {...empty} />;
  return (
    <ScrollFrame name={`${name}, list`}>
      <table className={classes.table} aria-label={name}>
        <Head {...props} rows={rows} />
        <tbody>
          {rows.map((row) => (
            <BodyRow key={props.idOf(row)} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function classOf({ kind, wideOnly }: Column<never>, index: number): string {
  const names = [kind && classes[kind], wideOnly && classes.wide, index === 0 && classes.first];
  return names.filter((name) => typeof name === 'string').join(' ');
}

function Head<Row>({
  columns,
  rows,
  idOf,
  selection,
  actions,
}: DataTableProps<Row> & { rows: readonly Row[] }) {
  const ids = rows.map(idOf);
  const chosen = ids.filter((id) => selection?.selected.has(id)).length;
  return (
    <thead>
      <tr>
        {selection && (
          <th className={classes.narrow} scope="col">
            <Checkbox
              aria-label="Select all on this page"
              checked={chosen === ids.length}
              indeterminate={chosen > 0 && chosen < ids.length}
              onChange={({ currentTarget }) => {
                selection.change(new Set(currentTarget.checked ? ids : []));
              }}
            />
          </th>
        )}
        {columns.map((column, index) => (
          <th key={column.title} scope="col" className={classOf(column as Column<never>, index)}>
            {column.title}
          </th>
        ))}
        {actions && (
          <th className={classes.narrow} scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function BodyRow<Row>(props: DataTableProps<Row> & { row: Row }) {
  const { row, columns, idOf, nameOf, selection, actions, openId } = props;
  const id = idOf(row);
  const toggle = (checked: boolean) => {
    const next = new Set(selection?.selected);
    if (checked) next.add(id);
    else next.delete(id);
    selection?.change(next);
  };
  return (
    <tr data-open={id === openId || undefined} data-id={id}>
      {selection && (
        <td className={classes.narrow}>
          <Checkbox
            aria-label={`Select ${nameOf(row)}`}
            // One stop of the Tab key a row: Space on its link selects it too.
            tabIndex={-1}
            checked={selection.selected.has(id)}
            onChange={({ currentTarget }) => {
              toggle(currentTarget.checked);
            }}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.title} className={classOf(column as Column<never>, index)}>
          {column.cell(row)}
        </td>
      ))}
      {actions && <td className={classes.narrow}>{actions(row)}</td>}
    </tr>
  );
}
