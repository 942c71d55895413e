import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import type { TokenLimits } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { grants } from '../../auth/scopes.js';
import {
  AccessTokensRepository,
  type NewToken,
} from '../../auth/tokens/access-tokens.repository.js';
import { limitOf, presentLimit } from '../key-collections.js';
import { scopesNotHeld } from '../key-grants.js';
import type { BrowserScope, CreateTokenDto } from './browser-token.dto.js';
import { documentsUnclear, onlyKeysCreateTokens } from './browser-tokens.refusals.js';

/** A new token with its text, which cannot be retrieved later. */
export interface IssuedBrowserToken extends NewToken {
  token: string;
  scopes: BrowserScope[];
  documents: TokenLimits;
}

/** Creates tokens for web pages (docs/adr/0041-reach-and-browser-tokens.md). */
@Injectable()
export class BrowserTokensService {
  constructor(
    private readonly database: Database,
    private readonly tokens: AccessTokensRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a token of the calling key. Throws `forbidden` for a person and for scopes that the key does not have, and
   * `bad_request` without a limit, for `documents` with both IDs and tags, and for collections that the key cannot see.
   */
  async create(body: CreateTokenDto, context: RequestContext): Promise<IssuedBrowserToken> {
    const { principal, access, caller } = context;
    if (principal.kind !== 'key') throw onlyKeysCreateTokens();
    const { scopes, label = null, minuteLimit = null } = body;
    if (!scopes.every((scope) => grants(principal.scopes, scope))) {
      throw scopesNotHeld(scopes, principal.scopes);
    }
    const documents = selectionOf(body);
    const collections = await limitOf(this.database, body.collections, access);
    const createdAt = this.clock.now();
    const end = new Date(createdAt.getTime() + body.expiresInSeconds * 1_000);
    const token = {
      keyId: principal.keyId,
      kind: 'browser' as const,
      scopes,
      documents: { ...documents, ...(collections && { collections }) },
      minuteLimit,
      label,
      createdAt,
      expiresAt: principal.expiresAt && principal.expiresAt < end ? principal.expiresAt : end,
    };
    return this.database.transaction(async () => {
      await insertAuditEntry(this.database, {
        action: 'key.create_token',
        resourceId: principal.keyId,
        at: createdAt,
        context,
        details: {
          scopes,
          documents: body.documents,
          collections: presentLimit(collections),
          minuteLimit,
          label,
          expiresAt: token.expiresAt,
        },
      });
      return { ...token, token: await this.tokens.create(token) };
    }, caller);
  }
}

function selectionOf({ documents, collections }: CreateTokenDto): TokenLimits {
  if (!documents && collections) return {};
  const { ids, tags } = documents ?? {};
  if (ids && !tags) return { ids: [...new Set(ids.map((id) => uuidOf('document', id)))] };
  if (tags && !ids) return { tags: [...new Set(tags)] };
  throw documentsUnclear();
}
