/** Where a path of the API is for programs: the service that this page came from. */
export function apiUrl(path: string): string {
  return `${window.location.origin}${path}`;
}
