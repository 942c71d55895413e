import { outageEnds, serviceResponds, suspectOutage } from './api/outage.js';

const RELOADED_AT = 'document-service-reloaded-at';
/** Two reloads within this many ms mean that reloading does not help. */
const AT_MOST_EVERY = 10_000;

/**
 * Loads a part of the dashboard on demand. Waits while the service is unavailable, because a reload would show the
 * browser's error page. If the service responds without the part, the tab is from before a deployment, and reloads.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const withStyles = async () => (await Promise.all([load(), import('./theme/more-styles.js')]))[0];
  return loadAlone(withStyles);
}

/** Loads a part that needs no styles of more-styles.ts. */
export async function loadAlone<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await serviceResponds()) return reload(error);
      suspectOutage();
      await outageEnds();
    }
  }
}

/** Reloads the page and never resolves. Throws `error` if the page was reloaded a moment ago. */
function reload(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - last < AT_MOST_EVERY) throw error;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  window.location.reload();
  return new Promise(() => undefined);
}
