import { useState } from 'react';
import { pathOf, type Folders } from './folders.js';

/**
 * Returns the open folders of a tree, and a function that opens or closes one. Choosing a folder opens those above it.
 * `rememberAs` is the key under which this browser stores the open folders.
 */
export function useOpenFolders(folders: Folders, chosen: string | undefined, rememberAs?: string) {
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
  const toggle = (id: string, isOpen = !open.has(id)) => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
    if (rememberAs !== undefined) localStorage.setItem(rememberAs, [...next].join());
  };
  return [open, toggle] as const;
}

function remembered(name: string | undefined): string[] {
  return (name === undefined ? null : localStorage.getItem(name))?.split(',') ?? [];
}
