/** Headers that curl sets itself. */
const OF_CURL = new Set(['content-length', 'host', 'connection', 'transfer-encoding']);

/** Returns a command that repeats an attempt byte for byte, to the same URL. */
export function curlOf(url: string, headers: Readonly<Record<string, string>>, body: string) {
  const lines = Object.entries(headers)
    .filter(([name]) => !OF_CURL.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl -i', quoted(url), ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ');
}

/** Quotes text for a shell. Within single quotes, no character is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
