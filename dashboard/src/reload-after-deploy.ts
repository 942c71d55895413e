const RELOADED_AT = 'document-service-reloaded-at';
/** Two reloads in so many ms mean that reloading does not help. */
const AT_MOST_EVERY = 10_000;

/**
 * Loads the page anew when a part of it is gone: a tab that was opened before a deploy asks for files that the new build
 * does not have.
 */
export function reloadAfterDeploy(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - last < AT_MOST_EVERY) return;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
