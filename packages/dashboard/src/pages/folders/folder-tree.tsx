import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { FixedTreeRow, FolderTreeRow, type FixedRow } from './folder-row.js';
import { pathName, shownRows, type Folder, type FolderRow, type Folders } from './folders.js';
import classes from './folders.module.css';
import { handleTreeKey } from './tree-keys.js';
import { idOf, isInside, rowIn } from './tree-rows.js';
import { useOpenFolders } from './use-open-folders.js';
import { useTreeDrop, type DropTarget } from './use-tree-drop.js';

interface FolderTreeProps {
  label: string;
  folders: Folders;
  fixed?: readonly FixedRow[];
  /** ID of the chosen row. */
  chosen?: string | undefined;
  /** IDs of the checked folders. With it, rows have check marks instead of a choice. */
  checked?: ReadonlySet<string>;
  onChoose: (id: string) => void;
  /** Returns why a row cannot be chosen, or undefined. */
  whyNot?: (id: string) => string | undefined;
  /** Folders that a search has found, shown without the tree. */
  found?: readonly FolderRow[] | undefined;
  /** The menu of a folder. */
  menu?: (folder: Folder) => ReactNode;
  drop?: DropTarget;
  /** Remembers in this browser which folders are open. */
  rememberAs?: string;
}

/**
 * The tree of folders. Tab stops at it once; arrow keys move inside it, Left and Right close and open folders, letters jump
 * to a name, and Shift+F10 opens the menu of a folder.
 */
export function FolderTree(props: FolderTreeProps) {
  const { folders, chosen, checked, whyNot, found, menu, drop } = props;
  const fixed = found ? [] : (props.fixed ?? []);
  const tree = useRef<HTMLDivElement>(null);
  const [open, toggle] = useOpenFolders(folders, chosen, props.rememberAs);
  const { over, handlers } = useTreeDrop(folders, drop, (id) => {
    toggle(id, true);
  });
  /** The row that has or had the focus. */
  const [focused, setFocused] = useState<string>();
  /** The row that shows its menu. */
  const [active, setActive] = useState<string>();
  const rows = found ?? shownRows(folders, open);
  const ids = [...fixed.map(({ id }) => id), ...rows.map(({ folder }) => folder.id)];
  const stop = [focused, chosen].find((id) => id !== undefined && ids.includes(id)) ?? ids[0];
  /** Shows the menu of a row, unless one is open. */
  const activate = (id: string | undefined) => {
    if (!tree.current?.querySelector('button[aria-expanded=true]')) setActive(id);
  };
  const choose = (id: string) => {
    if (whyNot?.(id) === undefined) props.onChoose(id);
  };
  const stateOf = (id: string) => ({
    isStop: id === stop,
    isChosen: id === chosen,
    isOver: id === over,
    whyNot: whyNot?.(id),
  });
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={props.label}
      aria-multiselectable={checked ? true : undefined}
      className={classes.tree}
      onKeyDown={(event) => {
        handleTreeKey(event, {
          folders,
          ids,
          isFlat: found !== undefined,
          open,
          nameOf: (id) => (folders.byId.get(id) ?? fixed.find((row) => row.id === id))?.name ?? '',
          focus: (id) => {
            if (id !== undefined) rowIn(tree.current, id)?.focus();
          },
          toggle,
          choose,
        });
      }}
      onFocus={(event) => {
        if (!isInside(event)) return;
        const id = idOf(event.target);
        setFocused(id);
        activate(id);
      }}
      onPointerOver={(event) => {
        if (isInside(event)) activate(idOf(event.target));
      }}
      onPointerLeave={() => {
        activate(undefined);
      }}
      onClick={(event) => {
        const id = isInside(event) ? idOf(event.target) : undefined;
        if (id === undefined || (event.target as Element).closest('button')) return;
        setFocused(id);
        if ((event.target as Element).closest('[data-toggle]')) toggle(id);
        else choose(id);
      }}
      onContextMenu={(event) => {
        const id = idOf(event.target);
        if (!menu || id === undefined || !folders.byId.has(id)) return;
        event.preventDefault();
        flushSync(() => {
          setActive(id);
        });
        rowIn(tree.current, id)?.querySelector('button')?.click();
      }}
      {...handlers}
    >
      {fixed.map((row) => (
        <FixedTreeRow key={row.id} {...row} {...stateOf(row.id)} />
      ))}
      {rows.map((row) => {
        const { id, level, parentId } = row.folder;
        return (
          <FolderTreeRow
            key={id}
            {...row}
            {...stateOf(id)}
            path={found && level > 1 ? pathName(folders, parentId) : undefined}
            isFlat={found !== undefined}
            isOpen={open.has(id)}
            isChecked={checked?.has(id)}
            isDraggable={drop !== undefined}
            menu={menu && (id === active || id === chosen) ? menu(row.folder) : undefined}
          />
        );
      })}
    </div>
  );
}
