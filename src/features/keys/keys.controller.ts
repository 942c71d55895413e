import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiResponse, OneTimeSecret } from '../../platform/http/envelope/api-response.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import { Reach } from '../auth/access/reach.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import type { Principal } from '../auth/principal.js';
import {
  ApiKeyDto,
  CreatedApiKeyDto,
  RevokedApiKeyDto,
  RotatedApiKeyDto,
} from './dto/api-key.dto.js';
import {
  CreateKeyDto,
  CREATE_KEY_EXAMPLES,
  ROTATE_KEY_EXAMPLES,
  PatchKeyDto,
  RotateKeyDto,
} from './dto/write-key.dto.js';
import { ListKeysDto } from './dto/list-keys.dto.js';
import { DEFAULT_GRACE_SECONDS } from './key-fields.js';
import { keyPatchOf, newKeyOf } from './key-requests.js';
import { KEYS } from './keys.refusals.js';
import {
  checkReplayedKey,
  checkReplayedRotation,
  issuedKeyResponse,
  rotatedKeyResponse,
  presentKey,
  type PublicKey,
} from './key.presenter.js';
import { KeysService } from './keys.service.js';

const KEY_SHOWN_ONCE = {
  field: 'key',
  instead: 'to get a key, revoke this one and create another with a new Idempotency-Key',
};

@ApiTags('keys')
@Controller('keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Post()
  @RequireScope('keys:write')
  @Reach('account')
  @OneTimeSecret({ ...KEY_SHOWN_ONCE, check: checkReplayedKey })
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'The key is returned only in this response. A key cannot create a key with scopes it does not have, a later expiry, more addresses, higher limits, or other collections. A key with `collections` cannot use this route.',
  })
  @ApiBody({ type: CreateKeyDto, examples: CREATE_KEY_EXAMPLES })
  @ApiCreatedResponse({
    type: CreatedApiKeyDto,
    description: 'The new key. It is shown only once.',
  })
  @Refuses(KEYS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateKeyDto,
  ): Promise<ApiResponse> {
    return issuedKeyResponse(await this.keys.create(newKeyOf(body), context));
  }

  @Get()
  @RequireScope('keys:read')
  @Reach('account')
  @ApiOperation({ summary: 'List API keys', description: 'Revoked and expired keys stay listed.' })
  @ApiOkResponse({ type: ApiKeyDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListKeysDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.keys.list(accountId, query);
    return new ApiResponse(JSON.stringify(rows.map(presentKey)), { pagination });
  }

  @Get(':id')
  @RequireScope('keys:read')
  @Reach('account')
  @ApiOperation({ summary: 'Read an API key' })
  @ApiOkResponse({
    type: ApiKeyDto,
    description: 'The key record. It never contains the key itself.',
  })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<PublicKey> {
    return presentKey(await this.keys.find(accountId, id));
  }

  @Patch(':id')
  @RequireScope('keys:write')
  @Reach('account')
  @ApiOperation({
    operationId: 'patchKey',
    summary: 'Change an API key',
    description:
      'Takes a JSON Merge Patch (RFC 7396), which applies from the next request on. You can remove scopes but not add them. Expiry, addresses and limits cannot exceed those of the calling key. A key can change itself and keys whose permissions do not exceed its own. If nothing changes, nothing is written.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchKeyDto, required: false })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The updated key record.' })
  @Refuses(KEYS.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() body: PatchKeyDto,
  ): Promise<PublicKey> {
    return presentKey(await this.keys.change(id, keyPatchOf(body), context));
  }

  @Delete(':id')
  @RequireScope('keys:write')
  @Reach('account')
  @ApiOperation({
    summary: 'Revoke an API key',
    description:
      'Every replica rejects the key from then on. A key can revoke itself and keys whose permissions do not exceed its own.',
  })
  @ApiOkResponse({
    type: RevokedApiKeyDto,
    description: 'The key is revoked. It may have been revoked before.',
  })
  @Refuses(KEYS.revoke)
  async revoke(@CurrentContext() context: RequestContext, @Param('id') id: string) {
    await this.keys.revoke(id, context);
    return { id, deleted: true };
  }

  @Post(':id/rotate')
  @RequireScope('keys:write')
  @Reach('account')
  @OneTimeSecret({ ...KEY_SHOWN_ONCE, check: checkReplayedRotation })
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same name, scopes, addresses, limits, collections and lifetime. The old key expires after the grace period. The new key belongs to the service account of the old one, if it has one, otherwise to you; to move a key that a person knows to a service account, send `serviceAccountId`. If the calling key expires before the new one would, the new key expires with it, and `meta.warnings` reports that. A key can rotate itself and keys whose permissions do not exceed its own.',
  })
  @ApiBody({ type: RotateKeyDto, required: false, examples: ROTATE_KEY_EXAMPLES })
  @ApiCreatedResponse({
    type: RotatedApiKeyDto,
    description: 'The new key. It is shown only once.',
  })
  @Refuses(KEYS.rotate)
  async rotate(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() body: RotateKeyDto,
  ): Promise<ApiResponse> {
    const { gracePeriodSeconds: graceSeconds = DEFAULT_GRACE_SECONDS, serviceAccountId } = body;
    const rotation = { graceSeconds, serviceAccountId };
    return rotatedKeyResponse(await this.keys.rotate(id, rotation, context));
  }
}
