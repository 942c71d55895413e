import type { ApiFailure } from './api.js';

/** What to call to find the right id, by the noun in "There is no such …". */
const FINDERS: readonly (readonly [noun: RegExp, advice: string])[] = [
  [/template/i, 'Find its id with list_templates.'],
  [/version/i, 'See which versions there are with list_versions.'],
  [
    /enhancement/i,
    'Have suggestions made with suggest_improvements, or call list_suggestions without enhancementId.',
  ],
  [
    /document/i,
    'Find its id with search_documents or list_documents; one that was deleted comes back by restore_document.',
  ],
];

/** What to do about a failure of the API, as sentences behind its message; `tool` is the one that was called. */
export function adviceFor(failure: ApiFailure, tool: string): string {
  const { requestId } = failure;
  const advice = [problemsOf(failure), nextStep(failure, tool)];
  if (failure.status >= 500) advice.push(requestId && `The request id is ${requestId}.`);
  return advice
    .filter((sentence) => sentence !== undefined && sentence !== '')
    .map((sentence) => ` ${sentence ?? ''}`)
    .join('');
}

function nextStep({ status, message, details }: ApiFailure, tool: string): string | undefined {
  const repeat = `then call ${tool} again.`;
  switch (status) {
    case 400:
    case 413:
    case 422:
      return `Correct this, ${repeat}`;
    case 401:
      return 'Ask the user for a key in force: the MCP server is given it as Authorization: Bearer (HTTP) or DOCUMENT_SERVICE_API_KEY (stdio).';
    case 403:
      return scopesMissing(details);
    case 404:
      return FINDERS.find(([noun]) => noun.test(message))?.[1];
    case 409:
      return conflict(details, tool);
    case 412:
      return `Call read_document again to get version ${String(details['currentVersion'])}, make your change to that text, ${repeat}`;
    case 429:
      return `Wait ${seconds(details['retryAfter'])}, ${repeat}`;
    case 503:
      return `Wait a few seconds, ${repeat}`;
    default:
      return `Call ${tool} once more; if it stays, tell the user.`;
  }
}

function scopesMissing({ requiredScopes }: ApiFailure['details']): string | undefined {
  if (!Array.isArray(requiredScopes)) return undefined;
  return `Tell the user that this needs a key with the scope ${requiredScopes.join(', ')}; tools that need other scopes still work.`;
}

function conflict({ allowed }: ApiFailure['details'], tool: string): string | undefined {
  if (!Array.isArray(allowed))
    return `Call read_document to see how it is now, then decide whether to call ${tool} again.`;
  return `Allowed from here: ${allowed.join(', ') || 'nothing'}. Call ${tool} with one of them.`;
}

function seconds(retryAfter: unknown): string {
  return typeof retryAfter === 'number'
    ? `${String(retryAfter)} second${retryAfter === 1 ? '' : 's'}`
    : 'a minute';
}

interface Problem {
  field: string;
  issue: string;
}

/** Most problems that are told; the message names the first one often, and never all. */
const MAX_PROBLEMS = 10;

function problemsOf({ details, message }: ApiFailure): string | undefined {
  const { problems } = details as { problems?: Problem[] };
  const told = (problems ?? [])
    .map(({ field, issue }) => `${field} ${issue}`)
    .filter((problem) => !message.includes(problem))
    .slice(0, MAX_PROBLEMS);
  return told.length > 0 ? `${told.join('. ')}.` : undefined;
}
