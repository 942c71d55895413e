import { ApiClient, type ApiResponse, type RequestOptions } from './api-client.js';
import { expectSuccess } from './envelope.js';

/** The response of `GET /dashboard/api/session`. */
export interface SessionState {
  user: {
    id: string;
    name: string;
    email: string;
    hasPassword: boolean;
    twoFactor: boolean;
    formerUserSetApart: boolean;
  } | null;
  sessionId: string | null;
  accounts: { id: string; name: string; plan: string; role: string }[];
  signUp: 'open' | 'closed';
  oidc: { name: string } | null;
  mail: boolean;
}

/** Calls the dashboard's API as a page in a browser does: stores the cookie, and sends the origin of changes. */
export class Browser {
  cookie: string | undefined;
  private readonly api: ApiClient;

  constructor(
    private readonly origin: string,
    private readonly headers: Record<string, string> = {},
  ) {
    this.api = new ApiClient(origin, undefined);
  }

  /** The same browser, connected to another replica. */
  at(origin: string): Browser {
    const other = new Browser(origin, this.headers);
    other.cookie = this.cookie;
    return other;
  }

  /** `path` is below /dashboard/api. */
  async send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.request(method, `/dashboard/api${path}`, { body });
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const response = await this.api.send(method, path, {
      ...options,
      headers: {
        ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        ...(method === 'GET' ? {} : { origin: this.origin, 'x-dashboard-request': '1' }),
        ...this.headers,
        ...options.headers,
      },
    });
    this.keepCookies(response);
    return response;
  }

  /** Creates a user with an account, and signs in. */
  async signUp(user: NewUser = newUser()): Promise<SessionState> {
    return expectSuccess(await this.send('POST', '/users', user), 201) as SessionState;
  }

  signIn(email: string, password: string, code?: string): Promise<ApiResponse> {
    return this.send('POST', '/session', {
      email,
      password,
      ...(code === undefined ? {} : { code }),
    });
  }

  async state(): Promise<SessionState> {
    return expectSuccess(await this.send('GET', '/session')) as SessionState;
  }

  private keepCookies({ headers }: ApiResponse): void {
    for (const text of [headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = text.split(';');
      const [name, value] = pair.split('=');
      const others = (this.cookie ?? '')
        .split('; ')
        .filter((one) => one !== '' && !one.startsWith(`${String(name)}=`));
      this.cookie = [...others, ...(value === '' ? [] : [pair])].join('; ') || undefined;
    }
  }
}

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

let users = 0;

/** Returns a person that no other test uses. */
export function newUser(): NewUser {
  users += 1;
  return {
    email: `ada-${String(users)}-${String(Date.now())}@example.com`,
    name: 'Ada Lovelace',
    password: `correct horse ${String(users)}`,
  };
}
