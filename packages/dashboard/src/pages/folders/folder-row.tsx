import { memo, type ReactNode } from 'react';
import { Icon } from '../../components/icons.js';
import { countOf, formatCount } from '../../components/numbers.js';
import { FolderIcon } from './folder-icons.js';
import type { Folder, FolderRow } from './folders.js';
import classes from './folders.module.css';

interface RowState {
  /** True for the row that the Tab key stops at. */
  isStop: boolean;
  isChosen: boolean;
  /** True while something that can be dropped here is dragged over the row. */
  isOver: boolean;
  /** Why the row cannot be chosen. */
  whyNot: string | undefined;
}

/** Returns the attributes that all rows have. */
function rowAttributes(id: string, { isStop, isOver, whyNot }: RowState) {
  return {
    'data-id': id,
    role: 'treeitem',
    'aria-disabled': whyNot !== undefined || undefined,
    title: whyNot,
    'data-over': isOver || undefined,
    tabIndex: isStop ? 0 : -1,
    className: classes.row,
  };
}

/** A row above the folders, such as "All documents". */
export interface FixedRow {
  id: string;
  name: string;
  icon: ReactNode;
}

export function FixedTreeRow({ id, name, icon, ...state }: FixedRow & RowState) {
  return (
    <div {...rowAttributes(id, state)} aria-level={1} aria-selected={state.isChosen}>
      <span className={classes.toggle} />
      {icon}
      <span className={classes.name}>{name}</span>
    </div>
  );
}

interface FolderTreeRowProps extends FolderRow, RowState {
  /** Names of the folders above, for a folder that a search has found. */
  path: string | undefined;
  isFlat: boolean;
  isOpen: boolean;
  /** Undefined if the tree has no check marks. */
  isChecked: boolean | undefined;
  isDraggable: boolean;
  menu: ReactNode;
}

/** Memoized, because a tree can have 1,000 rows. */
export const FolderTreeRow = memo(function FolderTreeRow(props: FolderTreeRowProps) {
  const { folder, path, isFlat, isOpen, isChecked, isChosen } = props;
  const { name, children, level, total } = folder;
  const hasChildren = children.length > 0 && !isFlat;
  return (
    <div
      {...rowAttributes(folder.id, props)}
      aria-label={labelOf(folder, path)}
      aria-level={isFlat ? 1 : level}
      aria-posinset={props.position}
      aria-setsize={props.size}
      aria-expanded={hasChildren ? isOpen : undefined}
      {...(isChecked === undefined ? { 'aria-selected': isChosen } : { 'aria-checked': isChecked })}
      draggable={props.isDraggable || undefined}
      style={{ '--level': isFlat ? 0 : level - 1 } as object}
    >
      <span className={classes.toggle} data-toggle={hasChildren || undefined}>
        {hasChildren && <Icon name={isOpen ? 'down' : 'right'} size={14} />}
      </span>
      {isChecked !== undefined && <CheckMark isChecked={isChecked} />}
      <FolderIcon name="folder" />
      <span className={classes.name} dir="auto" title={name}>
        {name} {path !== undefined && <small>{path}</small>}
      </span>{' '}
      {folder.isRestricted && <Lock />}
      {total > 0 && <span className={classes.count}>{formatCount(total)}</span>}
      {props.menu}
    </div>
  );
});

/** Returns the accessible name, which starts with the visible text (WCAG 2.5.3). */
function labelOf({ name, total, isRestricted }: Folder, path: string | undefined): string {
  const words = [name, path, countOf(total, 'document'), isRestricted && 'restricted'];
  return words.filter((word) => typeof word === 'string').join(', ');
}

function CheckMark({ isChecked }: { isChecked: boolean }) {
  return (
    <span className={classes.box} data-checked={isChecked}>
      {isChecked && <Icon name="check" size={12} />}
    </span>
  );
}

function Lock() {
  return (
    <span className={classes.lock} title="Only some people can open this folder">
      <FolderIcon name="lock" size={14} />
    </span>
  );
}
