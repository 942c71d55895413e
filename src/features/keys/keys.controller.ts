import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Query } from '@nestjs/common';
import type { Request } from 'express';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { OneTimeSecret } from '../../platform/http/envelope/one-time-secret.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { canonicalRange } from '../../platform/network/ip-networks.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { CreationOrderDto } from '../../platform/http/pagination/creation-order.dto.js';
import { validTimestamp } from '../../platform/basics/clock/timestamp.js';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { Principal } from '../access/auth/principal.js';
import type { Permissions } from '../access/auth/permissions.js';
import {
  ApiKeyDto,
  CreatedApiKeyDto,
  RevokedApiKeyDto,
  RotatedApiKeyDto,
} from './dto/api-key.dto.js';
import { CreateKeyDto } from './dto/create-key.dto.js';
import { CREATE_KEY_EXAMPLES, ROTATE_KEY_EXAMPLES } from './dto/create-key.examples.js';
import { PatchKeyDto } from './dto/patch-key.dto.js';
import { RotateKeyDto } from './dto/rotate-key.dto.js';
import { DEFAULT_GRACE_SECONDS } from './key-fields.js';
import { KEYS, requireGrantable, requireReachable } from './keys.refusals.js';
import {
  presentIssuedKey,
  presentKey,
  presentRotatedKey,
  type PublicIssuedKey,
  type PublicKey,
  type PublicRotatedKey,
} from './key.presenter.js';
import { KeysService } from './keys.service.js';

const KEY_SHOWN_ONCE = {
  field: 'key',
  instead: 'to have one, revoke this key and make another under a new Idempotency-Key',
};

@ApiTags('keys')
@Controller('keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Post()
  @RequireScope('keys:write')
  @OneTimeSecret({ ...KEY_SHOWN_ONCE, check: mayStillMake })
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Make an API key',
    description:
      'The answer is the only one that ever holds the key itself. A key makes none that reaches further than itself: with scopes it has not, with a later end, or for more addresses.',
  })
  @ApiBody({ type: CreateKeyDto, examples: CREATE_KEY_EXAMPLES })
  @ApiCreatedResponse({ type: CreatedApiKeyDto, description: 'The new key, this once.' })
  @Refuses(KEYS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateKeyDto,
  ): Promise<ApiResponse> {
    const issued = await this.keys.create(
      {
        name: body.name,
        scopes: body.scopes,
        expiresAt: endOf(body.expiresAt),
        allowedIps: canonical(body.allowedIps),
      },
      context,
    );
    return madeKey(presentIssuedKey(issued));
  }

  @Get()
  @RequireScope('keys:read')
  @ApiOperation({ summary: 'List API keys', description: 'Revoked and expired keys stay listed.' })
  @ApiOkResponse({ type: ApiKeyDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: CreationOrderDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.keys.list(accountId, query);
    return new ApiResponse(JSON.stringify(rows.map(presentKey)), { pagination });
  }

  @Get(':id')
  @RequireScope('keys:read')
  @ApiOperation({ summary: 'Read an API key' })
  @ApiOkResponse({
    type: ApiKeyDto,
    description: 'What is known of the key, without the key itself.',
  })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<PublicKey> {
    return presentKey(await this.keys.find(accountId, id));
  }

  @Patch(':id')
  @RequireScope('keys:write')
  @ApiOperation({
    operationId: 'patchKey',
    summary: 'Change an API key',
    description:
      'A JSON Merge Patch (RFC 7396), from the next request on, on every replica; the key itself stays. Scopes only get fewer; end and addresses reach no further than those of the key that asks. A key changes itself, and others that reach no further than itself. When nothing changes, nothing is written.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchKeyDto, required: false })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key as it is now, without the key itself.' })
  @Refuses(KEYS.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() { name, scopes, expiresAt, allowedIps }: PatchKeyDto,
  ): Promise<PublicKey> {
    const change = {
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes }),
      ...(expiresAt !== undefined && { expiresAt: endOf(expiresAt) }),
      ...(allowedIps !== undefined && { allowedIps: canonical(allowedIps) }),
    };
    return presentKey(await this.keys.change(id, change, context));
  }

  @Delete(':id')
  @RequireScope('keys:write')
  @ApiOperation({
    summary: 'Revoke an API key',
    description:
      'No request begun after the answer succeeds with the key, on any replica. A key may revoke itself, and others that reach no further than itself.',
  })
  @ApiOkResponse({ type: RevokedApiKeyDto, description: 'It is revoked, now or since before.' })
  @Refuses(KEYS.revoke)
  async revoke(@CurrentContext() context: RequestContext, @Param('id') id: string) {
    await this.keys.revoke(id, context);
    return { id, deleted: true };
  }

  @Post(':id/rotate')
  @RequireScope('keys:write')
  @OneTimeSecret({ ...KEY_SHOWN_ONCE, check: mayStillRotate })
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Replace an API key',
    description:
      'Makes a key with the same name, scopes, addresses and length of life; the old one ends after the grace period. Where the key that asks ends earlier, the new one ends with it, and `meta.warnings` says so. A key rotates itself, and others that reach no further than itself.',
  })
  @ApiBody({ type: RotateKeyDto, required: false, examples: ROTATE_KEY_EXAMPLES })
  @ApiCreatedResponse({ type: RotatedApiKeyDto, description: 'The new key, this once.' })
  @Refuses(KEYS.rotate)
  async rotate(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() { gracePeriodSeconds = DEFAULT_GRACE_SECONDS }: RotateKeyDto,
  ): Promise<ApiResponse> {
    const rotated = await this.keys.rotate(id, gracePeriodSeconds, context);
    return madeKey(presentRotatedKey(rotated), rotated.warnings);
  }
}

/** Null is never. */
function endOf(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? validTimestamp(text) : null;
}

/** Ranges in their one spelling; none is all addresses. */
function canonical(ranges: readonly string[] | null | undefined): string[] {
  return (ranges ?? []).map((range) => canonicalRange(range) ?? range);
}

/** The retry of a request that made this key is judged like the request itself, by what the key that asks may now. */
function mayStillMake(made: unknown, { principal }: Request): void {
  if (principal) requireGrantable(permissionsIn(made as PublicIssuedKey), principal);
}

function mayStillRotate(made: unknown, { principal }: Request): void {
  const { replaces, ...key } = made as PublicRotatedKey;
  if (principal)
    requireReachable(permissionsIn({ ...key, expiresAt: replaces.expiresAt }), principal);
}

function permissionsIn({ scopes, expiresAt, allowedIps }: PublicKey): Permissions {
  return { scopes, expiresAt: expiresAt === null ? null : new Date(expiresAt), allowedIps };
}

function madeKey(key: PublicKey, warnings: readonly FieldProblem[] = []): ApiResponse {
  return new ApiResponse(JSON.stringify(key), { location: `/v1/keys/${key.id}`, warnings });
}
