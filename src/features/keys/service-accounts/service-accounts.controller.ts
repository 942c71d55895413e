import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { readItems } from '../../../platform/http/pagination/read-page.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../../auth/auth.decorators.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import {
  CreateServiceAccountDto,
  DeletedServiceAccountDto,
  ListServiceAccountsDto,
  PatchServiceAccountDto,
  ServiceAccountDto,
} from './dto/service-account.dto.js';
import { presentServiceAccount } from './service-account.presenter.js';
import { SERVICE_ACCOUNTS } from './service-accounts.refusals.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@ApiTags('keys')
@Controller('service-accounts')
@Reach('account')
export class ServiceAccountsController {
  constructor(private readonly serviceAccounts: ServiceAccountsService) {}

  @Post()
  @RequireScope('keys:write')
  @ApiOperation({
    summary: 'Create a service account',
    description:
      'A service account owns API keys and cannot sign in. Its keys keep working when the person who created them leaves. To create a key for it, send its ID as `serviceAccountId` with `POST /v1/keys`. An account can have 50.',
  })
  @ApiCreatedResponse({ type: ServiceAccountDto, description: 'The new service account.' })
  @Refuses(SERVICE_ACCOUNTS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateServiceAccountDto,
  ): Promise<ApiResponse> {
    const account = presentServiceAccount(await this.serviceAccounts.create(body, context));
    const location = `/v1/service-accounts/${account.id}`;
    return new ApiResponse(JSON.stringify(account), { location });
  }

  @Get()
  @RequireScope('keys:read')
  @ApiOperation({
    summary: 'List service accounts',
    description: 'Oldest first. Deleted ones are not listed.',
  })
  @ApiOkResponse({ type: ServiceAccountDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListServiceAccountsDto,
  ): Promise<ApiResponse> {
    const all = await this.serviceAccounts.list(accountId);
    const { rows, pagination } = await readItems(accountId, all, query);
    return new ApiResponse(JSON.stringify(rows.map(presentServiceAccount)), { pagination });
  }

  @Get(':id')
  @RequireScope('keys:read')
  @ApiOperation({ summary: 'Read a service account' })
  @ApiOkResponse({ type: ServiceAccountDto, description: 'The service account.' })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<ServiceAccountDto> {
    return presentServiceAccount(await this.serviceAccounts.find(accountId, id));
  }

  @Patch(':id')
  @RequireScope('keys:write')
  @ApiOperation({
    operationId: 'patchServiceAccount',
    summary: 'Change a service account',
    description:
      'Takes a JSON Merge Patch (RFC 7396) of the name and the role. The role applies to the next request of its keys. You need all scopes of the present and of the new role. If nothing changes, nothing is written.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchServiceAccountDto, required: false })
  @ApiOkResponse({ type: ServiceAccountDto, description: 'The updated service account.' })
  @Refuses(SERVICE_ACCOUNTS.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() body: PatchServiceAccountDto,
  ): Promise<ServiceAccountDto> {
    return presentServiceAccount(await this.serviceAccounts.change(id, body, context));
  }

  @Delete(':id')
  @RequireScope('keys:write')
  @ApiOperation({
    summary: 'Remove a service account',
    description:
      'Revokes its keys. Documents and other things that it created stay, and still show its name. You need all scopes of its role.',
  })
  @ApiOkResponse({ type: DeletedServiceAccountDto, description: 'It is deleted.' })
  @Refuses(SERVICE_ACCOUNTS.delete)
  async delete(@CurrentContext() context: RequestContext, @Param('id') id: string) {
    await this.serviceAccounts.delete(id, context);
    return { id, deleted: true };
  }
}
