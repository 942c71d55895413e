import { outageEnds, serviceAnswers, suspectOutage } from './api/outage.js';

const RELOADED_AT = 'document-service-reloaded-at';
/** Two reloads in so many ms mean that reloading does not help. */
const AT_MOST_EVERY = 10_000;

/**
 * Loads a part of the dashboard that comes when it is needed. While the service is away it waits: loading the page anew
 * would leave the reader with the browser's own error page. When the service answers and the part is gone, the tab was
 * opened before a deploy, and loads itself anew.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const withStyles = async () => (await Promise.all([load(), import('./theme/more-styles.js')]))[0];
  return loadAlone(withStyles);
}

/** Loads a part that has neither fields nor dialogs. */
export async function loadAlone<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await serviceAnswers()) return reload(error);
      suspectOutage();
      await outageEnds();
    }
  }
}

/** Never returns, unless the page was loaded anew just before. */
function reload(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - last < AT_MOST_EVERY) throw error;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  window.location.reload();
  return new Promise(() => undefined);
}
