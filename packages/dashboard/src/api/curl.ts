/** Text as a shell takes it for one word, whatever is in it. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface CurlRequest {
  method?: string;
  url: string;
  /** The key itself; without one the line takes it from the variable `API_KEY`. */
  key?: string;
  /** JSON. */
  body?: string;
}

/** A command that sends a request, and runs as it stands where the key is in it. */
export function curlCommand({ method = 'GET', url, key, body }: CurlRequest): string {
  const authorization =
    key === undefined
      ? '"Authorization: Bearer $API_KEY"'
      : shellWord(`Authorization: Bearer ${key}`);
  const verb = method === 'HEAD' ? '--head ' : method === 'GET' ? '' : `-X ${method} `;
  return [
    `curl ${verb}${shellWord(url)}`,
    `-H ${authorization}`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellWord(body)}`]),
  ].join(' \\\n  ');
}
