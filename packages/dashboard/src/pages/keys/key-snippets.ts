import { apiUrl } from '../../api/api-url.js';
import { curlCommand } from '../../api/curl.js';

export interface KeySnippet {
  language: 'curl' | 'Node' | 'Python';
  /** A program that runs unchanged. */
  code: string;
}

/** The body of a request that creates a document. */
const NEW_DOCUMENT = { title: 'Hello', content: 'Written with the API.' };

/** Returns the first request with a key, in common languages: it creates a document if the key may, and reads otherwise. */
export function keySnippets(key: string, scopes: readonly string[]): KeySnippet[] {
  const creates = allows(scopes, 'documents:write');
  const url = apiUrl(creates ? '/v1/documents' : pathFor(scopes));
  const body = JSON.stringify(NEW_DOCUMENT);
  return [
    {
      language: 'curl',
      code: curlCommand({ url, key, ...(creates && { method: 'POST', body }) }),
    },
    { language: 'Node', code: creates ? nodePost(url, key) : nodeGet(url, key) },
    { language: 'Python', code: creates ? pythonPost(url, key) : pythonGet(url, key) },
  ];
}

const nodeGet = (url: string, key: string) => `const response = await fetch('${url}', {
  headers: { Authorization: 'Bearer ${key}' },
});
console.log(await response.json());`;

const nodePost = (url: string, key: string) => `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    title: '${NEW_DOCUMENT.title}',
    content: '${NEW_DOCUMENT.content}',
  }),
});
console.log(await response.json());`;

const pythonGet = (url: string, key: string) => `import json
from urllib.request import Request, urlopen

request = Request('${url}', headers={'Authorization': 'Bearer ${key}'})
print(json.load(urlopen(request)))`;

const pythonPost = (url: string, key: string) => `import json
from urllib.request import Request, urlopen

request = Request(
    '${url}',
    data=json.dumps({
        'title': '${NEW_DOCUMENT.title}',
        'content': '${NEW_DOCUMENT.content}',
    }).encode(),
    headers={
        'Authorization': 'Bearer ${key}',
        'Content-Type': 'application/json',
    },
)
print(json.load(urlopen(request)))`;

/** Lists, each with the scope that may read it. */
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

/** Returns a list that a key with these scopes may read, so that the first response is no error. */
function pathFor(scopes: readonly string[]): string {
  return PATHS.find(([scope]) => allows(scopes, scope))?.[1] ?? '/v1/documents';
}

function allows(scopes: readonly string[], scope: string): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}
