import type { DragEvent } from 'react';
import type { DocumentListItem } from '../documents/document-types.js';

/** What is being dragged in this tab: documents of the list, or a folder of the tree. */
export type Dragged =
  { kind: 'documents'; documents: readonly DocumentListItem[] } | { kind: 'folder'; id: string };

let dragged: Dragged | undefined;

export function draggedNow(): Dragged | undefined {
  return dragged;
}

/** Starts to drag. `label` follows the pointer. */
export function startDrag(event: DragEvent, what: Dragged, label: string): void {
  dragged = what;
  const { dataTransfer } = event;
  dataTransfer.effectAllowed = 'move';
  // Firefox starts no drag without data. A link would be opened by the tab bar.
  dataTransfer.clearData();
  dataTransfer.setData('text/plain', label);
  const image = document.createElement('div');
  image.className = 'drag-image';
  image.textContent = label;
  document.body.append(image);
  dataTransfer.setDragImage(image, -8, -8);
  setTimeout(() => {
    image.remove();
  });
  const end = () => {
    dragged = undefined;
  };
  window.addEventListener('dragend', end, { once: true });
}
