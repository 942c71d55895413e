import type { KeyboardEvent } from 'react';
import { pathOf, type Folders } from './folders.js';
import { idOf, isInside, rowOf } from './tree-rows.js';

interface TreeKeys {
  folders: Folders;
  /** IDs of the visible rows, from top to bottom. */
  ids: readonly string[];
  /** True if the rows are search results, without levels. */
  isFlat: boolean;
  open: ReadonlySet<string>;
  nameOf: (id: string) => string;
  focus: (id: string | undefined) => void;
  toggle: (id: string, isOpen: boolean) => void;
  choose: (id: string) => void;
}

/** Moves the focus, or opens, closes or chooses a folder. Leaves other keys to the page. */
export function handleTreeKey(event: KeyboardEvent<HTMLElement>, tree: TreeKeys): void {
  const id = isInside(event) ? idOf(event.target) : undefined;
  if (id === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const { key, target } = event;
  // These keys press the menu button.
  if (target !== rowOf(target) && (key === 'Enter' || key === ' ')) return;
  const action = actionsOf(tree, id)[key];
  if (action) action();
  else if (key.length === 1 && !event.shiftKey) tree.focus(startingWith(tree, key, id));
  else return;
  event.preventDefault();
  // The page has shortcuts with letters.
  event.stopPropagation();
}

/** Returns the action of each key in a row. */
function actionsOf(tree: TreeKeys, id: string): Partial<Record<string, () => void>> {
  const { folders, ids, isFlat, open, focus, toggle, choose } = tree;
  const index = ids.indexOf(id);
  const firstChild = isFlat ? undefined : folders.byId.get(id)?.children[0];
  return {
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
      if (!firstChild) return;
      if (open.has(id)) focus(firstChild.id);
      else toggle(id, true);
    },
    ArrowLeft: () => {
      if (firstChild && open.has(id)) toggle(id, false);
      else if (!isFlat) focus(pathOf(folders, id).at(-2)?.id);
    },
    Enter: () => {
      choose(id);
    },
    ' ': () => {
      choose(id);
    },
  };
}

/** Returns the next row whose name starts with a letter. */
function startingWith({ ids, nameOf }: TreeKeys, letter: string, after: string) {
  const from = ids.indexOf(after) + 1;
  return [...ids.slice(from), ...ids.slice(0, from)].find((id) =>
    nameOf(id).toLowerCase().startsWith(letter.toLowerCase()),
  );
}
