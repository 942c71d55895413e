import { DocumentServiceError } from './errors.js';

/** An API key, or a function that returns one. */
export type ApiKeySource = string | (() => string | Promise<string>);

interface Access {
  baseUrl: string;
  apiKey: ApiKeySource;
}

/** Returns the URL and the key, by default from the environment. Throws if one is missing or invalid. */
export function accessOf(given: Partial<Access>): Access {
  const baseUrl = (given.baseUrl ?? environment('DOCUMENT_SERVICE_URL')).trim();
  const apiKey = given.apiKey ?? environment('DOCUMENT_SERVICE_KEY');
  if (!baseUrl || !apiKey) throw missing({ baseUrl, apiKey });
  if (!isServiceUrl(baseUrl)) {
    throw new DocumentServiceError(
      `The URL of the service is invalid: "${baseUrl.replace(/^.*@/, '…@')}". Set DOCUMENT_SERVICE_URL or pass baseUrl, such as http://localhost:3000.`,
    );
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/+v1$/, ''),
    apiKey: typeof apiKey === 'string' ? validKey(apiKey) : async () => validKey(await apiKey()),
  };
}

/** A password, a query or a fragment cannot be part of it. */
function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !/[?#]/.test(text);
}

/** Returns an environment variable, or an empty string. Browsers have no `process`. */
function environment(name: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] ?? '';
}

function missing({ baseUrl, apiKey }: Access): DocumentServiceError {
  const parts = [
    !baseUrl && 'its URL (DOCUMENT_SERVICE_URL, or the option baseUrl)',
    !apiKey && 'an API key (DOCUMENT_SERVICE_KEY, or the option apiKey)',
  ].filter(Boolean);
  return new DocumentServiceError(`To call the Document Service, set ${parts.join(' and ')}.`);
}

/** Returns the key without spaces around it. The error does not contain the key. */
function validKey(key: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new DocumentServiceError(
    'The API key is empty or contains characters that no key has. Copy it again, without quotation marks or spaces.',
  );
}
