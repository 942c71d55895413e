/** Quotes text as one word of a shell. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface CurlRequest {
  method?: string;
  url: string;
  /** The API key. Without one, the command reads the variable `API_KEY`. */
  key?: string;
  /** JSON text. */
  body?: string;
}

/** Returns a curl command for a request. With a key, it runs unchanged. */
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
