import type { DragEvent } from 'react';
import classes from './folders.module.css';
import type { Moved } from './use-move.js';

let dragged: Moved | undefined;

/** Returns what is being dragged in this tab. */
export function draggedNow(): Moved | undefined {
  return dragged;
}

/** Starts to drag documents of the list, or a folder of the tree. `label` follows the pointer. */
export function startDrag(event: DragEvent, what: Moved, label: string): void {
  dragged = what;
  const { dataTransfer } = event;
  dataTransfer.effectAllowed = 'move';
  // Firefox starts no drag without data. The browser would open the URL of a link that is dropped on its tabs.
  dataTransfer.clearData();
  dataTransfer.setData('text/plain', label);
  const image = document.createElement('div');
  image.className = classes.dragImage ?? '';
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
