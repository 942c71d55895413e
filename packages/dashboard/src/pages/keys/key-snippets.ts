import { apiUrl } from '../../api/api-url.js';
import { curlCommand } from '../../api/curl.js';

export interface KeySnippet {
  language: 'curl' | 'Node' | 'Python';
  /** A program that runs unchanged. */
  code: string;
}

/** The first request with a key, in common languages. */
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

/** Returns a list that a key with these scopes may read, so that the first response is no error. */
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
