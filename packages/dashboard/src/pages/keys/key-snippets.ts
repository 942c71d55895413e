import { apiUrl } from '../../api/api-url.js';
import { curlCommand } from '../../api/curl.js';

export interface KeySnippet {
  language: 'curl' | 'Node' | 'Python';
  /** Runs as it stands. */
  code: string;
}

/** The first request with a key, in the languages that most begin with. */
export function keySnippets(key: string, scopes: readonly string[]): KeySnippet[] {
  const url = apiUrl(pathFor(scopes));
  return [
    { language: 'curl', code: curlCommand({ url, key }) },
    {
      language: 'Node',
      code: `const response = await fetch('${url}', {
  headers: { Authorization: 'Bearer ${key}' },
});
console.log(await response.json());`,
    },
    {
      language: 'Python',
      code: `import json
from urllib.request import Request, urlopen

request = Request('${url}', headers={'Authorization': 'Bearer ${key}'})
print(json.load(urlopen(request)))`,
    },
  ];
}

/** A list that a key with these scopes may read, so that the first answer is no refusal. */
const PATHS = [
  ['documents:read', '/v1/documents'],
  ['usage:read', '/v1/usage'],
  ['templates:read', '/v1/templates'],
  ['webhooks:read', '/v1/webhooks'],
  ['events:read', '/v1/events'],
  ['keys:read', '/v1/keys'],
  ['audit:read', '/v1/audit'],
  ['documents:analyze', '/v1/style-rules'],
] as const;

function pathFor(scopes: readonly string[]): string {
  const found = PATHS.find(([scope]) => scopes.includes('*') || scopes.includes(scope));
  return found?.[1] ?? '/v1/documents';
}
