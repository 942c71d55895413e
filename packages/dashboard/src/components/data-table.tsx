import { Checkbox } from '@mantine/core';
import type { DragEvent, KeyboardEvent, ReactNode } from 'react';
import { EmptyState } from './empty-state.js';
import { FailureAlert } from './failure-alert.js';
import { LoadingLines } from './page-loading.js';
import { useRovingFocus } from './roving-focus.js';
import { ScrollFrame } from './scroll-frame.js';
import classes from './data-table.module.css';

export interface Column<Row> {
  /** The heading. The first column contains the link to the row's page. */
  title: string;
  cell: (row: Row) => ReactNode;
  /**
   * `narrow` takes its minimum width, `number` is aligned right, and `main` takes the remaining width and truncates its
   * lines.
   */
  kind?: 'narrow' | 'number' | 'main';
  /** Hidden on phones. `desktop` is hidden below 72 rem, too. */
  wideOnly?: boolean | 'desktop';
  /** Text before and after the value on phones, which show no headings. */
  phoneLabel?: string;
  phoneUnit?: (row: Row) => string;
}

/** IDs of the selected rows among those shown. */
export interface Selection {
  selected: ReadonlySet<string>;
  change: (ids: ReadonlySet<string>) => void;
}

interface DataTableProps<Row> {
  /** Accessible name, that of the page. */
  name: string;
  columns: readonly Column<Row>[];
  /** Undefined while the rows load. */
  rows: readonly Row[] | undefined;
  idOf: (row: Row) => string;
  /** Name of the row in "Select …" and "Actions for …". */
  nameOf: (row: Row) => string;
  /** Shown instead of an empty table: one sentence and one action. `isFiltered` if only the filters exclude all rows. */
  empty: { sentence: ReactNode; action?: ReactNode; isFiltered?: boolean };
  error?: unknown;
  onRetry?: () => void;
  selection?: Selection;
  /** Last cell, a {@link RowMenu}. */
  actions?: (row: Row) => ReactNode;
  /** Makes the rows draggable. */
  onDragStart?: (event: DragEvent, row: Row) => void;
  /** ID of the row whose panel is open. */
  openId?: string | undefined;
  /** Number of rows of the skeleton. */
  expectedRows?: number;
}

/**
 * A list with all its states: loading, empty, failed, and with rows. The Tab key stops at it once; arrow keys move
 * inside it, and Space on a link selects its row. On phones, each row is a title with a line of facts.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, rows, error, onRetry, empty, expectedRows = 8 } = props;
  if (error !== undefined && error !== null && rows === undefined) {
    return <FailureAlert error={error} {...(onRetry && { onRetry })} />;
  }
  if (!rows) {
    return (
      <div className={classes.frame}>
        <div className={classes.loading}>
          <LoadingLines rows={expectedRows} height={20} />
        </div>
      </div>
    );
  }
  if (rows.length === 0) {
    const { isFiltered = false, ...state } = empty;
    const titles = isFiltered ? [] : props.columns.map(({ title }) => title);
    return <EmptyState {...state} columns={titles} />;
  }
  return (
    <ScrollFrame name={`${name}, list`}>
      <Rows {...props} rows={rows} />
    </ScrollFrame>
  );
}

type RowsProps<Row> = DataTableProps<Row> & { rows: readonly Row[] };

function Rows<Row>(props: RowsProps<Row>) {
  const { name, rows, idOf } = props;
  const { ref, onFocus, onKeyDown } = useRovingFocus<HTMLTableElement>({
    start: 'tbody a[href]',
    lines: 'tr',
  });
  return (
    // The layout on phones removes the roles of a table in some browsers.
    <table
      ref={ref}
      className={classes.table}
      role="table"
      aria-label={name}
      onFocus={onFocus}
      onKeyDown={(event) => {
        selectBySpace(event);
        onKeyDown(event);
      }}
    >
      <Head {...props} />
      <tbody role="rowgroup">
        {rows.map((row) => (
          <BodyRow key={idOf(row)} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function selectBySpace(event: KeyboardEvent<HTMLElement>): void {
  const { key, target } = event;
  if (key !== ' ' || !(target instanceof HTMLAnchorElement)) return;
  const box = target.closest('tbody tr')?.querySelector<HTMLElement>('input[type=checkbox]');
  if (!box) return;
  event.preventDefault();
  box.click();
}

function classOf({ kind, wideOnly }: Column<never>, index: number): string {
  const names = [
    kind && classes[kind],
    wideOnly !== undefined && classes.wide,
    wideOnly === 'desktop' && classes.desktop,
    index === 0 && classes.first,
  ];
  return names.filter((name) => typeof name === 'string').join(' ');
}

function Head<Row>({ columns, rows, idOf, selection, actions }: RowsProps<Row>) {
  const ids = rows.map(idOf);
  const chosen = ids.filter((id) => selection?.selected.has(id)).length;
  return (
    <thead role="rowgroup" data-selectable={selection ? true : undefined}>
      <tr role="row">
        {selection && (
          <th className={classes.select} scope="col" role="columnheader">
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
          <th
            key={column.title}
            scope="col"
            role="columnheader"
            className={classOf(column as Column<never>, index)}
          >
            {column.title}
          </th>
        ))}
        {actions && (
          <th className={classes.narrow} scope="col" role="columnheader">
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function BodyRow<Row>(props: DataTableProps<Row> & { row: Row }) {
  const { row, columns, idOf, nameOf, selection, actions, onDragStart, openId } = props;
  const id = idOf(row);
  const toggle = (checked: boolean) => {
    const next = new Set(selection?.selected);
    if (checked) next.add(id);
    else next.delete(id);
    selection?.change(next);
  };
  return (
    <tr
      role="row"
      data-open={id === openId || undefined}
      data-id={id}
      draggable={onDragStart && true}
      onDragStart={(event) => {
        onDragStart?.(event, row);
      }}
    >
      {selection && (
        <td className={classes.select} role="cell">
          <Checkbox
            aria-label={`Select ${nameOf(row)}`}
            checked={selection.selected.has(id)}
            onChange={({ currentTarget }) => {
              toggle(currentTarget.checked);
            }}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.title}
          role="cell"
          className={classOf(column as Column<never>, index)}
          data-before={column.phoneLabel}
          data-unit={column.phoneUnit?.(row)}
        >
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td className={classes.actions} role="cell">
          {actions(row)}
        </td>
      )}
    </tr>
  );
}
