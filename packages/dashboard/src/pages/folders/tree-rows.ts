/** Returns whether an event is from inside the tree. React also passes on events of a row's open menu, which is outside. */
export function isInside({
  currentTarget,
  target,
}: {
  currentTarget: Element;
  target: EventTarget;
}): boolean {
  return currentTarget.contains(target as Node);
}

/** Returns the row that an element is in. */
export function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[role=treeitem]') : null;
}

/** Returns the ID of the row that an element is in. */
export function idOf(target: EventTarget): string | undefined {
  return rowOf(target)?.dataset['id'];
}

/** Returns the row with an ID. */
export function rowIn(tree: HTMLElement | null, id: string): HTMLElement | null | undefined {
  return tree?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
}
