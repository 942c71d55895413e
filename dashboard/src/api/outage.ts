/** Whether some answer looked as if the whole service were away. A page asks again before it says so. */
let suspected = false;
const listeners = new Set<() => void>();

function change(to: boolean): void {
  if (suspected === to) return;
  suspected = to;
  for (const listener of listeners) listener();
}

export function suspectOutage(): void {
  change(true);
}

export function endSuspicion(): void {
  change(false);
}

export function isOutageSuspected(): boolean {
  return suspected;
}

export function subscribeToSuspicion(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
