/** True if a response looked as if the whole service were unavailable. A page checks again before it reports that. */
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

/** Resolves once the service is considered available. */
export async function outageEnds(): Promise<void> {
  if (!suspected) return;
  await new Promise<void>((resolve) => {
    const stop = subscribeToSuspicion(() => {
      stop();
      resolve();
    });
  });
}

/** Statuses with which a proxy reports that it cannot reach the service. */
const UNAVAILABLE = new Set([502, 503, 504]);

/** Timeout of a request that checks availability, in ms. */
const PATIENCE = 10_000;

export async function serviceResponds(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const { status } = await fetch('/dashboard/api/session', { cache: 'no-store', signal });
    return !UNAVAILABLE.has(status);
  } catch {
    return false;
  }
}
