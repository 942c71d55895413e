import { useRef, useState, type DragEvent } from 'react';
import { draggedNow, startDrag, type Dragged } from './drag.js';
import type { Folders } from './folders.js';
import { idOf } from './tree-rows.js';

export interface DropTarget {
  /** Returns why it cannot be dropped on a row, or undefined. */
  whyNot: (dragged: Dragged, id: string) => string | undefined;
  onDrop: (dragged: Dragged, id: string) => void;
}

/** A closed folder opens below a dragged thing after this time, in ms. */
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
    return drop.whyNot(dragged, id) === undefined ? { dragged, id } : undefined;
  };
  const handlers = {
    onDragStart: (event: DragEvent) => {
      const folder = folders.byId.get(idOf(event.target) ?? '');
      if (folder) startDrag(event, { kind: 'folder', id: folder.id }, folder.name);
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
