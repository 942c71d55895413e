import { Body, Controller, Delete, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer } from '../../envelope/answer.js';
import { CurrentPrincipal, RequireScope } from '../authentication.js';
import type { Principal } from '../principal.js';
import { canonicalRange } from './address-range.js';
import { CreateKeyDto } from './dto/create-key.dto.js';
import { ListKeysDto } from './dto/list-keys.dto.js';
import { RotateKeyDto } from './dto/rotate-key.dto.js';
import { DEFAULT_GRACE_SECONDS } from './grace-period.js';
import { fromRow } from './key-record.js';
import {
  presentIssuedKey,
  presentKey,
  presentRotatedKey,
  type PublicKey,
} from './key.presenter.js';
import { KeysService } from './keys.service.js';
import { parseTimestamp } from './timestamp.js';

@ApiTags('keys')
@Controller('keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Post()
  @RequireScope('keys:write')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Make an API key',
    description: 'The answer is the only one that ever holds the key itself.',
  })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateKeyDto,
  ): Promise<Answer> {
    const issued = await this.keys.create(
      {
        accountId: principal.accountId,
        userId: principal.user.id,
        name: body.name,
        scopes: body.scopes,
        expiresAt: parseTimestamp(body.expiresAt ?? '') ?? null,
        allowedIps: (body.allowedIps ?? []).map((range) => canonicalRange(range) ?? range),
      },
      principal.scopes,
    );
    return madeKey(presentIssuedKey(issued));
  }

  @Get()
  @RequireScope('keys:read')
  @ApiOperation({ summary: 'List API keys', description: 'Revoked and expired keys stay listed.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListKeysDto,
  ): Promise<Answer> {
    const { rows, pagination } = await this.keys.list(accountId, query);
    return new Answer(JSON.stringify(rows.map((row) => presentKey(fromRow(row)))), { pagination });
  }

  @Get(':id')
  @RequireScope('keys:read')
  @ApiOperation({ summary: 'Read an API key' })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<PublicKey> {
    return presentKey(await this.keys.find(accountId, id));
  }

  @Delete(':id')
  @RequireScope('keys:write')
  @ApiOperation({
    summary: 'Revoke an API key',
    description: 'No request begun after the answer succeeds with the key, on any replica.',
  })
  async revoke(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string) {
    await this.keys.revoke(accountId, id);
    return { id, deleted: true };
  }

  @Post(':id/rotate')
  @RequireScope('keys:write')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Replace an API key',
    description:
      'Makes a key with the same name, scopes, addresses and length of life; the old one ends after the grace period.',
  })
  async rotate(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { gracePeriodSeconds = DEFAULT_GRACE_SECONDS }: RotateKeyDto,
  ): Promise<Answer> {
    const rotation = { gracePeriodSeconds, userId: principal.user.id };
    const rotated = await this.keys.rotate(principal.accountId, id, rotation, principal.scopes);
    return madeKey(presentRotatedKey(rotated));
  }
}

function madeKey(key: PublicKey): Answer {
  return new Answer(JSON.stringify(key), { location: `/v1/keys/${key.id}` });
}
