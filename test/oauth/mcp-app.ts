import { once } from 'node:events';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { request } from 'undici';
import type { SignedInPerson } from '../dashboard/people.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { McpTestClient } from '../support/mcp-client.js';

export const CALLBACK = 'http://127.0.0.1:4567/callback';

/** An MCP client that connects with OAuth, as Claude or Cursor do, with the SDK's own code. */
export class McpApp implements OAuthClientProvider {
  redirectUrl = CALLBACK;
  clientMetadataUrl?: string;
  information: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  authorizationUrl: URL | undefined;
  private verifier = '';

  constructor(readonly name = 'Trial editor') {}

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: this.name, redirect_uris: [this.redirectUrl] };
  }

  state = () => 'state-of-the-app';
  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.information = information;
  };
  tokens = () => this.saved;
  invalidateCredentials = () => {
    this.saved = undefined;
  };
  saveTokens = (tokens: OAuthTokens) => {
    this.saved = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;

  transport(origin: string): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: this });
  }

  /** Connects until the SDK would open the consent page. Returns the query of that page. */
  async requestAccess(origin: string): Promise<string> {
    const refused = await McpTestClient.connect(this.transport(origin)).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(UnauthorizedError);
    if (!this.authorizationUrl) throw new Error('The SDK did not open the consent page.');
    return this.authorizationUrl.search.slice(1);
  }

  /** Connects with the consent of this person. */
  async connect(
    origin: string,
    person: SignedInPerson,
    consent: Partial<Consent> = {},
  ): Promise<McpTestClient> {
    const redirect = await approve(person, { query: await this.requestAccess(origin), ...consent });
    expect(redirect.searchParams.get('state')).toBe('state-of-the-app');
    await this.transport(origin).finishAuth(redirect.searchParams.get('code') ?? '');
    return McpTestClient.connect(this.transport(origin));
  }
}

export interface Consent {
  query: string;
  scopes: string[];
  days: number;
  /** Public IDs; missing for all. */
  collections?: string[];
}

/** Sends a request of the consent page. */
export function consentPage(
  { browser, accountId }: SignedInPerson,
  path: string,
  body: object,
): Promise<ApiResponse> {
  return browser.send('POST', `/accounts/${accountId}/v1/oauth/authorizations${path}`, body);
}

/** Approves what an app asks for. Returns where the browser is sent. */
export async function approve(
  person: SignedInPerson,
  {
    query,
    scopes = ['documents:read', 'documents:suggest'],
    days = 30,
    collections,
  }: Partial<Consent>,
): Promise<URL> {
  const approved = await consentPage(person, '', { query, scopes, days, collections });
  const { redirectUri } = expectSuccess(approved) as { redirectUri: string };
  return new URL(redirectUri);
}

/** A PKCE verifier and the parameters of a consent page, for apps that are not built with the SDK. */
export function authorizationQuery(more: Record<string, string>): {
  query: string;
  verifier: string;
} {
  const verifier = randomBytes(32).toString('base64url');
  const parameters = new URLSearchParams({
    response_type: 'code',
    redirect_uri: CALLBACK,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return { query: parameters.toString(), verifier };
}

/** The members of a response of an OAuth route: tokens or an error. */
interface OAuthAnswer {
  access_token: string;
  refresh_token: string;
  scope: string;
  error: string;
}

/** Posts a form to an OAuth route. */
export async function postForm(
  url: string,
  form: Record<string, string>,
): Promise<{ status: number; headers: Record<string, unknown>; body: OAuthAnswer }> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    body: JSON.parse(text === '' ? '{}' : text) as OAuthAnswer,
  };
}

/** Registers an app. Returns its client ID. */
export async function register(origin: string, metadata: object = {}): Promise<string> {
  const response = await request(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Trial', redirect_uris: [CALLBACK], ...metadata }),
  });
  const registered = (await response.body.json()) as { client_id: string };
  expect(response.statusCode).toBe(201);
  return registered.client_id;
}

/** A server of client ID metadata documents on loopback. */
export class DocumentHost {
  requests = 0;
  respond: RequestListener = (_, response) => {
    response.end(JSON.stringify(this.document));
  };
  private readonly server = createServer((incoming, response) => {
    this.requests += 1;
    this.respond(incoming, response);
  });

  static async start(): Promise<DocumentHost> {
    const host = new DocumentHost();
    host.server.listen(0, '127.0.0.1');
    await once(host.server, 'listening');
    return host;
  }

  /** The client ID, which is the URL of the document. */
  get clientId(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${String(port)}/client.json`;
  }

  get document(): Record<string, unknown> {
    return { client_id: this.clientId, client_name: 'Hosted', redirect_uris: [CALLBACK] };
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
