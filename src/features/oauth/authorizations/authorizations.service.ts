import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Database } from '../../../platform/database/database.js';
import type { Access } from '../../auth/access/access.js';
import { AccountsRepository } from '../../auth/accounts/accounts.repository.js';
import { mayConnectApps } from '../../auth/connected-app.js';
import type { AccountEntity } from '../../auth/entities/account.entity.js';
import type { PersonPrincipal } from '../../auth/principal.js';
import { grants } from '../../auth/scopes.js';
import { limitOf, requireLimitable, seesCollections } from '../../keys/key-collections.js';
import type { AppClient } from '../clients/app-client.js';
import { ClientDocuments } from '../clients/client-documents.js';
import { isRegistered, redirectProblem } from '../clients/redirect-uris.js';
import { isRegistration, readRegistration } from '../clients/registration.js';
import { AppKeysRepository } from './app-keys.repository.js';
import type { ApproveAuthorizationDto } from './authorization.dto.js';
import { AuthorizationCodesRepository } from './authorization-codes.repository.js';
import {
  invalidParameter,
  readAuthorizationRequest,
  readReturnAddress,
  redirectWith,
  type AuthorizationRequest,
} from './authorization-request.js';

/** Maximum number of connected apps of a person in an account. */
export const MAX_APPS = 20;

/** How long a code can be exchanged, in milliseconds. */
const CODE_LIFETIME_MS = 60_000;

/** A valid request of an app for the access of this person. */
export interface CheckedAuthorization {
  request: AuthorizationRequest;
  client: AppClient;
  account: AccountEntity;
  /** True if the person can limit the app to collections. */
  hasCollections: boolean;
}

/** The person who decides about an app, and what they can see. */
interface Decider {
  person: PersonPrincipal;
  access: Access;
}

/** Lets signed-in people decide about the requests of apps. */
@Injectable()
export class AuthorizationsService {
  constructor(
    private readonly database: Database,
    private readonly documents: ClientDocuments,
    private readonly accounts: AccountsRepository,
    private readonly codes: AuthorizationCodesRepository,
    private readonly apps: AppKeysRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the query of the consent page. Throws `bad_request` if the app must correct it, `forbidden` if the account does
   * not let this person connect apps, and `conflict` if they have connected too many.
   */
  async check(
    query: string,
    issuer: string,
    { person: { accountId, user, role }, access }: Decider,
  ): Promise<CheckedAuthorization> {
    const account = await this.accounts.read(accountId);
    if (!mayConnectApps(account.connectedApps, role)) throw appsNotAllowed(account.connectedApps);
    const returnAddress = readReturnAddress(query);
    const { clientId, redirectUri } = returnAddress;
    const client = await this.clientOf(clientId);
    // Registered URIs were checked too. The browser must never follow a URI that runs code in the dashboard.
    const problem = redirectProblem(redirectUri);
    if (problem !== undefined) throw invalidParameter('redirect_uri', problem);
    if (!isRegistered(redirectUri, client.redirectUris)) {
      throw invalidParameter('redirect_uri', 'is not one of those that the app has registered');
    }
    const request = readAuthorizationRequest(query, returnAddress, issuer);
    if ((await this.apps.count(accountId, user.id, this.clock.now())) >= MAX_APPS) {
      throw tooManyApps();
    }
    const hasCollections = await seesCollections(this.database, access);
    return { request, client, account, hasCollections };
  }

  /**
   * Records the person's consent. Returns where to send the browser, with the code for the app. Throws like {@link check},
   * `forbidden` for scopes that the person's role does not have, and `bad_request` for collections that the person cannot see
   * and scopes that cannot be limited to them.
   */
  async approve(
    query: string,
    { scopes, days, collections: ids }: Omit<ApproveAuthorizationDto, 'query'>,
    issuer: string,
    decider: Decider,
  ): Promise<string> {
    const { person, access } = decider;
    const { request, client } = await this.check(query, issuer, decider);
    const missing = scopes.filter((scope) => !grants(person.scopes, scope));
    if (missing.length > 0) throw scopesNotHeld(missing);
    const collections = await limitOf(this.database, ids, access);
    requireLimitable(scopes, collections);
    const now = this.clock.now();
    const { id, name, host } = client;
    const { redirectUri, codeChallenge, resource } = request;
    const code = await this.codes.insert({
      accountId: person.accountId,
      userId: person.user.id,
      client: { id, name, host },
      ...{ redirectUri, codeChallenge, resource, days, collections },
      scopes: [...new Set(scopes)],
      createdAt: now,
      expiresAt: new Date(now.getTime() + CODE_LIFETIME_MS),
    });
    return redirectWith({ code }, request, issuer);
  }

  private async clientOf(clientId: string): Promise<AppClient> {
    if (this.documents.isDocument(clientId)) return this.documents.read(clientId);
    const client = isRegistration(clientId) ? readRegistration(clientId) : undefined;
    if (!client) throw invalidParameter('client_id', 'is not one that this service knows');
    return client;
  }
}

/** Returns the error for a person whom the account does not let connect apps. */
export function appsNotAllowed(setting: AccountEntity['connectedApps']): AppError {
  const who =
    setting === 'admins' ? 'Only owners and admins of this account' : 'Nobody in this account';
  return new AppError(
    'forbidden',
    `${who} can connect apps. Ask an owner to change this in the account settings.`,
    {
      reason: 'connected_apps',
    },
  );
}

export function tooManyApps(): AppError {
  return new AppError(
    'conflict',
    `You have connected ${String(MAX_APPS)} apps in this account, the maximum. Disconnect one that you no longer use.`,
  );
}

export function scopesNotHeld(missing: readonly string[]): AppError {
  return new AppError(
    'forbidden',
    `Your role in this account cannot give an app scopes that it does not have: ${missing.join(', ')}. Leave them out.`,
    { field: 'scopes', issue: `must only contain scopes of your role` },
  );
}
