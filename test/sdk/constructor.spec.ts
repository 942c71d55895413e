import {
  DocumentService,
  DocumentServiceError,
  InvalidRequestError,
} from '@document-service/client';

const URL_VARIABLE = 'DOCUMENT_SERVICE_URL';
const KEY_VARIABLE = 'DOCUMENT_SERVICE_KEY';

/** Returns the URL and the key of the request that a client sends. */
async function requested(...options: ConstructorParameters<typeof DocumentService>) {
  const sent: [string, string | null][] = [];
  const fetch = (url: unknown, init?: RequestInit) => {
    sent.push([String(url), new Headers(init?.headers).get('Authorization')]);
    return Promise.resolve(Response.json({ success: true, data: {}, meta: {} }));
  };
  const [given] = options;
  await new DocumentService({ ...given, fetch }).me();
  return sent[0];
}

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(DocumentServiceError);
    return (error as Error).message;
  }
  return 'no error';
}

describe('new DocumentService()', () => {
  const { env } = process;
  afterEach(() => {
    process.env = env;
  });
  const variables = (url?: string, key?: string) => {
    process.env = { ...(url && { [URL_VARIABLE]: url }), ...(key && { [KEY_VARIABLE]: key }) };
  };

  it('new DocumentService() reads the URL and the key from the environment', async () => {
    variables('http://localhost:3000/v1/', 'ds_live_a');
    expect(await requested()).toEqual(['http://localhost:3000/v1/me', 'Bearer ds_live_a']);
    expect(await requested({ apiKey: 'ds_live_b' })).toEqual([
      'http://localhost:3000/v1/me',
      'Bearer ds_live_b',
    ]);
    expect(await requested({ baseUrl: 'https://documents.example.com' })).toEqual([
      'https://documents.example.com/v1/me',
      'Bearer ds_live_a',
    ]);
  });

  it('new DocumentService() ignores line breaks and spaces around both, as files of secrets end with one', async () => {
    variables(' http://localhost:3000\n', 'ds_live_a\n');
    expect(await requested()).toEqual(['http://localhost:3000/v1/me', 'Bearer ds_live_a']);
    const apiKey = () => Promise.resolve(' ds_live_b ');
    expect((await requested({ apiKey }))?.[1]).toBe('Bearer ds_live_b');
  });

  it('new DocumentService() says which of both is missing, and how to set it', () => {
    variables();
    expect(messageOf(() => new DocumentService())).toBe(
      'To call the Document Service, set its URL (DOCUMENT_SERVICE_URL, or the option baseUrl) and an API key (DOCUMENT_SERVICE_KEY, or the option apiKey).',
    );
    variables('http://localhost:3000');
    expect(messageOf(() => new DocumentService())).toBe(
      'To call the Document Service, set an API key (DOCUMENT_SERVICE_KEY, or the option apiKey).',
    );
    variables(undefined, 'ds_live_a');
    expect(messageOf(() => new DocumentService())).toBe(
      'To call the Document Service, set its URL (DOCUMENT_SERVICE_URL, or the option baseUrl).',
    );
  });

  it.each(['localhost:3000', 'documents.example.com', 'ftp://example.com', '/v1'])(
    'new DocumentService() refuses the URL %s',
    (baseUrl) => {
      expect(messageOf(() => new DocumentService({ baseUrl, apiKey: 'x' }))).toBe(
        `The URL of the service is invalid: "${baseUrl}". Set DOCUMENT_SERVICE_URL or pass baseUrl, such as http://localhost:3000.`,
      );
    },
  );

  it.each(['http://user:secret@localhost', 'http://localhost?key=1', 'http://localhost/#a'])(
    'new DocumentService() refuses %s, and prints no password',
    (baseUrl) => {
      const message = messageOf(() => new DocumentService({ baseUrl, apiKey: 'x' }));
      expect(message).toMatch(/^The URL of the service is invalid: /);
      expect(message).not.toContain('secret');
    },
  );

  it.each(['ds_live_…', 'Bearer ds_live_a', 'ds_live_a\nX: y'])(
    'new DocumentService() refuses a key that a header cannot contain, and does not repeat it: %j',
    (apiKey) => {
      expect(messageOf(() => new DocumentService({ baseUrl: 'http://localhost', apiKey }))).toBe(
        'The API key is empty or contains characters that no key has. Copy it again, without quotation marks or spaces.',
      );
    },
  );

  it('new DocumentService() works where there is no process, as in browsers', async () => {
    const { process: node } = globalThis;
    Reflect.set(globalThis, 'process', undefined);
    try {
      const message = messageOf(() => new DocumentService());
      const sent = await requested({ baseUrl: 'http://localhost', apiKey: 'x' });
      Reflect.set(globalThis, 'process', node);
      expect(message).toMatch(/^To call the Document Service, set its URL/);
      expect(sent).toEqual(['http://localhost/v1/me', 'Bearer x']);
    } finally {
      Reflect.set(globalThis, 'process', node);
    }
  });
});

it('an error class of the client recognizes errors of classes that extend it, and no others', () => {
  class OwnError extends InvalidRequestError {}
  const failure = {
    code: 'INVALID_REQUEST',
    message: 'm',
    status: 400,
    details: {},
    requestId: undefined,
    retryAfter: undefined,
    headers: new Headers(),
    attempts: 1,
    uncertain: false,
  } as const;
  const own = new OwnError(failure);
  expect(own instanceof OwnError && own instanceof InvalidRequestError).toBe(true);
  expect(new InvalidRequestError(failure) instanceof OwnError).toBe(false);
  const values: unknown[] = [null, undefined, 'x', {}, new Error('x')];
  expect(values.map((value) => value instanceof DocumentServiceError)).not.toContain(true);
});
