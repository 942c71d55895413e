import { useRef, useState, type DragEvent } from 'react';
import { draggedNow, startDrag } from './drag.js';
import type { Folders } from './folders.js';
import { idOf } from './tree-rows.js';
import type { Moved } from './use-move.js';

export interface DropTarget {
  /** Returns whether it can be dropped on a row. */
  accepts: (dragged: Moved, id: string) => boolean;
  onDrop: (dragged: Moved, id: string) => void;
}

/** Time until a closed folder opens while something is dragged over it, in ms. */
const OPENS_AFTER = 700;

/** Returns the row that something is dragged over, and the handlers of the tree for dragging. */
export function useTreeDrop(
  folders: Folders,
  drop: DropTarget | undefined,
  openFolder: (id: string) => void,
) {
  const [over, setOver] = useState<string>();
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  const enter = (id: string | undefined) => {
    if (id === over) return;
    clearTimeout(opening.current);
    setOver(id);
    const folder = id === undefined ? undefined : folders.byId.get(id);
    if (!folder || folder.children.length === 0) return;
    opening.current = setTimeout(() => {
      openFolder(folder.id);
    }, OPENS_AFTER);
  };
  /** Returns the row below the pointer if the dragged thing can be dropped there. */
  const targetOf = (target: EventTarget) => {
    const [dragged, id] = [draggedNow(), idOf(target)];
    if (!drop || !dragged || id === undefined) return undefined;
    return drop.accepts(dragged, id) ? { dragged, id } : undefined;
  };
  const handlers = {
    onDragStart: (event: DragEvent) => {
      const folder = folders.byId.get(idOf(event.target) ?? '');
      if (folder) startDrag(event, { kind: 'folder', folder }, folder.name);
    },
    onDragOver: (event: DragEvent) => {
      const target = targetOf(event.target);
      enter(target?.id);
      if (target) event.preventDefault();
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) enter(undefined);
    },
    onDrop: (event: DragEvent) => {
      const target = targetOf(event.target);
      enter(undefined);
      if (!target) return;
      event.preventDefault();
      drop?.onDrop(target.dragged, target.id);
    },
  };
  return { over, handlers };
}
