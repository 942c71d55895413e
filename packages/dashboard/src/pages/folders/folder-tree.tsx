import { memo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Icon, type IconName } from '../../components/icons.js';
import { countOf, formatCount } from '../../components/numbers.js';
import { draggedNow, startDrag, type Dragged } from './drag.js';
import { FolderIcon, type FolderIconName } from './folder-icons.js';
import {
  pathName,
  pathOf,
  shownRows,
  type Folder,
  type FolderRow,
  type Folders,
} from './folders.js';
import classes from './folders.module.css';

/** A row above the folders, such as "All documents". */
export interface FixedRow {
  id: string;
  name: string;
  icon: ReactNode;
}

interface DropTarget {
  /** Returns why it cannot be dropped on a row, or undefined. */
  whyNot: (dragged: Dragged, id: string) => string | undefined;
  onDrop: (dragged: Dragged, id: string) => void;
}

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

/** A closed folder opens below a dragged thing after this time, in ms. */
const OPENS_AFTER = 700;

/**
 * The tree of folders. Tab stops at it once; arrow keys move inside it, Left and Right close and open folders, letters jump
 * to a name, and Shift+F10 opens the menu of a folder.
 */
export function FolderTree(props: FolderTreeProps) {
  const {
    label,
    folders,
    fixed = [],
    chosen,
    checked,
    onChoose,
    whyNot,
    found,
    menu,
    drop,
  } = props;
  const tree = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useOpenFolders(folders, chosen, props.rememberAs);
  const [focused, setFocused] = useState<string>();
  const [active, setActive] = useState<string>();
  const [over, setOver] = useState<string>();
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rows = found ?? shownRows(folders, open);
  const ids = [...(found ? [] : fixed.map(({ id }) => id)), ...rows.map(({ folder }) => folder.id)];
  const stop = [focused, chosen].find((id) => id !== undefined && ids.includes(id)) ?? ids[0];
  const focus = (id: string | undefined) => {
    if (id !== undefined) rowIn(tree.current, id)?.focus();
  };
  /** Shows the menu of a row, unless one is open. */
  const activate = (id: string | undefined) => {
    if (!tree.current?.querySelector('button[aria-expanded=true]')) setActive(id);
  };
  const toggle = (id: string, isOpen = !open.has(id)) => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  const choose = (id: string) => {
    if (whyNot?.(id) === undefined) onChoose(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const id = isInside(event) ? idOf(event.target) : undefined;
    if (id === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    // The button of the menu.
    if (event.target !== rowOf(event.target) && (event.key === 'Enter' || event.key === ' '))
      return;
    const index = ids.indexOf(id);
    const folder = folders.byId.get(id);
    const hasChildren = !found && folder !== undefined && folder.children.length > 0;
    const actions: Partial<Record<string, () => void>> = {
      ArrowDown: () => {
        focus(ids[index + 1]);
      },
      ArrowUp: () => {
        focus(ids[index - 1]);
      },
      Home: () => {
        focus(ids[0]);
      },
      End: () => {
        focus(ids.at(-1));
      },
      ArrowRight: () => {
        if (!hasChildren) return;
        if (open.has(id)) focus(folder.children[0]?.id);
        else toggle(id, true);
      },
      ArrowLeft: () => {
        if (hasChildren && open.has(id)) toggle(id, false);
        else if (!found) focus(pathOf(folders, id).at(-2)?.id);
      },
      Enter: () => {
        choose(id);
      },
      ' ': () => {
        choose(id);
      },
    };
    const action = actions[event.key];
    if (action) action();
    else if (event.key.length === 1 && !event.shiftKey) focus(startingWith(event.key, id));
    else return;
    event.preventDefault();
    // The page has shortcuts with letters.
    event.stopPropagation();
  };
  const nameOf = (id: string) =>
    folders.byId.get(id)?.name ?? fixed.find((row) => row.id === id)?.name ?? '';
  const startingWith = (letter: string, after: string) => {
    const from = ids.indexOf(after) + 1;
    return [...ids.slice(from), ...ids.slice(0, from)].find((id) =>
      nameOf(id).toLowerCase().startsWith(letter.toLowerCase()),
    );
  };
  const enter = (id: string | undefined) => {
    if (id === over) return;
    clearTimeout(opening.current);
    setOver(id);
    const folder = id === undefined ? undefined : folders.byId.get(id);
    if (!folder || folder.children.length === 0) return;
    opening.current = setTimeout(() => {
      toggle(folder.id, true);
    }, OPENS_AFTER);
  };
  /** Returns the row below the pointer if the dragged thing can be dropped there. */
  const targetOf = (target: EventTarget) => {
    const [dragged, id] = [draggedNow(), idOf(target)];
    if (!drop || !dragged || id === undefined) return undefined;
    return drop.whyNot(dragged, id) === undefined ? { dragged, id } : undefined;
  };
  const shared = { folders, stop, chosen, checked, over, whyNot };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={label}
      aria-multiselectable={checked ? true : undefined}
      className={classes.tree}
      onKeyDown={onKeyDown}
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
      onDragStart={(event) => {
        const folder = folders.byId.get(idOf(event.target) ?? '');
        if (folder) startDrag(event, { kind: 'folder', id: folder.id }, folder.name);
      }}
      onDragOver={(event) => {
        const target = targetOf(event.target);
        enter(target?.id);
        if (target) event.preventDefault();
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) enter(undefined);
      }}
      onDrop={(event) => {
        const target = targetOf(event.target);
        enter(undefined);
        if (!target) return;
        event.preventDefault();
        drop?.onDrop(target.dragged, target.id);
      }}
    >
      {!found &&
        fixed.map(({ id, name, icon }) => (
          <div
            key={id}
            data-id={id}
            role="treeitem"
            aria-level={1}
            aria-selected={id === chosen}
            aria-disabled={whyNot?.(id) !== undefined || undefined}
            title={whyNot?.(id)}
            data-over={id === over || undefined}
            tabIndex={id === stop ? 0 : -1}
            className={classes.row}
          >
            <span className={classes.toggle} />
            {icon}
            <span className={classes.name}>{name}</span>
          </div>
        ))}
      {rows.map((row) => {
        const { id } = row.folder;
        return (
          <Row
            key={id}
            {...row}
            path={
              found && row.folder.level > 1 ? pathName(folders, row.folder.parentId) : undefined
            }
            isFlat={found !== undefined}
            isOpen={open.has(id)}
            isStop={id === shared.stop}
            isChosen={id === shared.chosen}
            isChecked={shared.checked?.has(id)}
            isOver={id === shared.over}
            isDraggable={drop !== undefined}
            whyNot={shared.whyNot?.(id)}
            menu={menu && (id === active || id === chosen) ? menu(row.folder) : undefined}
          />
        );
      })}
    </div>
  );
}

interface RowProps extends FolderRow {
  /** Names of the folders above, for a folder that a search has found. */
  path: string | undefined;
  isFlat: boolean;
  isOpen: boolean;
  isStop: boolean;
  isChosen: boolean;
  isChecked: boolean | undefined;
  isOver: boolean;
  isDraggable: boolean;
  whyNot: string | undefined;
  menu: ReactNode;
}

/** Does not render again unless it changes: there can be 1,000. */
const Row = memo(function Row(props: RowProps) {
  const { folder, path, isFlat, isOpen, isChecked, whyNot } = props;
  const { id, name, children, level, total, isRestricted } = folder;
  const hasChildren = children.length > 0 && !isFlat;
  const words = [name, path, isRestricted && 'restricted', countOf(total, 'document')];
  return (
    <div
      data-id={id}
      role="treeitem"
      aria-label={words.filter((word) => typeof word === 'string').join(', ')}
      aria-level={isFlat ? 1 : level}
      aria-posinset={props.position}
      aria-setsize={props.size}
      aria-expanded={hasChildren ? isOpen : undefined}
      {...(isChecked === undefined
        ? { 'aria-selected': props.isChosen }
        : { 'aria-checked': isChecked })}
      aria-disabled={whyNot !== undefined || undefined}
      title={whyNot}
      data-over={props.isOver || undefined}
      draggable={props.isDraggable || undefined}
      tabIndex={props.isStop ? 0 : -1}
      className={classes.row}
      style={{ '--level': isFlat ? 0 : level - 1 } as object}
    >
      <span className={classes.toggle} data-toggle={hasChildren || undefined}>
        {hasChildren && <Icon name={isOpen ? 'down' : 'right'} size={14} />}
      </span>
      {isChecked !== undefined && (
        <span className={classes.box} data-checked={isChecked}>
          {isChecked && <Icon name="check" size={12} />}
        </span>
      )}
      <FolderIcon name="folder" />
      <span className={classes.name} dir="auto" title={name}>
        {name}
        {path !== undefined && <small>{path}</small>}
      </span>
      {isRestricted && (
        <span className={classes.lock} title="Only some people can open this folder">
          <FolderIcon name="lock" size={14} />
        </span>
      )}
      {total > 0 && <span className={classes.count}>{formatCount(total)}</span>}
      {props.menu}
    </div>
  );
});

export function fixedIcon(name: IconName | FolderIconName) {
  return name === 'folder' || name === 'lock' || name === 'unfiled' ? (
    <FolderIcon name={name} />
  ) : (
    <Icon name={name} />
  );
}

/** False for an event of an open menu, which React passes on from outside of the tree. */
function isInside({
  currentTarget,
  target,
}: {
  currentTarget: Element;
  target: EventTarget;
}): boolean {
  return currentTarget.contains(target as Node);
}

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[role=treeitem]') : null;
}

function idOf(target: EventTarget): string | undefined {
  return rowOf(target)?.dataset['id'];
}

function rowIn(tree: HTMLElement | null, id: string): HTMLElement | null | undefined {
  return tree?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
}

/** Returns which folders are open. Those above the chosen one open when it is chosen. */
function useOpenFolders(folders: Folders, chosen: string | undefined, rememberAs?: string) {
  const above = (id: string | undefined) =>
    pathOf(folders, id ?? null)
      .slice(0, -1)
      .map((folder) => folder.id);
  const [open, setOpen] = useState(() => new Set([...remembered(rememberAs), ...above(chosen)]));
  const [last, setLast] = useState(chosen);
  if (last !== chosen) {
    setLast(chosen);
    setOpen(new Set([...open, ...above(chosen)]));
  }
  const change = (next: Set<string>) => {
    setOpen(next);
    if (rememberAs !== undefined) localStorage.setItem(rememberAs, [...next].join());
  };
  return [open, change] as const;
}

function remembered(name: string | undefined): string[] {
  return (name === undefined ? null : localStorage.getItem(name))?.split(',') ?? [];
}
