import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An OpenID Connect provider on this machine, at which everybody is who the test says. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who signs in next, as claims of the ID token; `sub` is made up unless given. */
  person: Record<string, unknown>;
  /** Goes into the ID token in place of what belongs there, such as another `nonce`. */
  forged: Record<string, unknown>;
  /** Signs with a key that nobody knows. */
  signsWrongly: boolean;
  close(): Promise<void>;
}

interface Grant {
  challenge: string;
  nonce: string;
  redirectUri: string;
  claims: Record<string, unknown>;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const [key, wrongKey] = [newKey(), newKey()];
  const grants = new Map<string, Grant>();
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const provider: OidcProvider = {
    issuer,
    clientId: 'document-service',
    clientSecret: 'secret of the client',
    person: {},
    forged: {},
    signsWrongly: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', issuer);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        json(response, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
        });
        return;
      case '/jwks': {
        const jwk = key.publicKey.export({ format: 'jwk' });
        json(response, { keys: [{ ...jwk, kid: 'one', alg: 'RS256', use: 'sig' }] });
        return;
      }
      case '/authorize':
        authorize(url.searchParams, response);
        return;
      case '/token':
        token(new URLSearchParams(await text(request)), response);
        return;
      default:
        response.writeHead(404).end();
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    const redirectUri = query.get('redirect_uri') ?? '';
    grants.set(code, {
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
      redirectUri,
      claims: { sub: randomUUID(), ...provider.person },
    });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  }

  function token(form: URLSearchParams, response: ServerResponse): void {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== verifier || grant.redirectUri !== form.get('redirect_uri')) {
      json(response, { error: 'invalid_grant' }, 400);
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: provider.clientId,
      iat: now,
      exp: now + 60,
      nonce: grant.nonce,
      ...grant.claims,
      ...provider.forged,
    };
    const signed = [{ alg: 'RS256', kid: 'one' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const { privateKey } = provider.signsWrongly ? wrongKey : key;
    const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url');
    json(response, {
      access_token: randomUUID(),
      token_type: 'Bearer',
      id_token: `${signed}.${signature}`,
    });
  }
}

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
