/** Returns the URL of an API path for programs, on the service that this page came from. */
export function apiUrl(path: string): string {
  return `${window.location.origin}${path}`;
}
