import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Access } from '../auth/access/access.js';
import { CurrentAccess, Reach } from '../auth/access/reach.decorators.js';
import { CurrentContext, RequireScope } from '../auth/auth.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import type { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import { CollectionAccessService } from './collection-access.service.js';
import { versionedResponse } from './collection.presenter.js';
import { COLLECTIONS } from './collections.refusals.js';
import { CollectionAccessDto, SetAccessDto } from './dto/collection-access.dto.js';

@ApiTags('collections')
@Controller('collections/:id/access')
export class CollectionAccessController {
  constructor(private readonly accesses: CollectionAccessService) {}

  @Get()
  @RequireScope('access:write')
  @Reach('manager')
  @ApiOperation({
    operationId: 'readCollectionAccess',
    summary: 'Read who can use a collection',
    description: 'Needs the right `manager`. The ETag is that of the collection.',
  })
  @ApiOkResponse({
    type: CollectionAccessDto,
    description: 'Its access.',
    headers: headers('ETag'),
  })
  @Refuses(COLLECTIONS.readAccess)
  async read(@CurrentAccess() access: Access, @Param('id') id: string): Promise<ApiResponse> {
    const { shown, version } = await this.accesses.read(access, id);
    return versionedResponse(shown, { version });
  }

  @Put()
  @RequireScope('access:write')
  @Reach('manager')
  @ApiOperation({
    operationId: 'setCollectionAccess',
    summary: 'Set who can use a collection',
    description:
      'Replaces the access of the collection, or removes it with null. Needs the right `manager`, which the caller must keep. Owners and admins always manage every collection, and the creator of a collection with its own access manages it. Applies to all requests that begin after the response. Emits `collection.access_changed`. If nothing changes, nothing is written.',
  })
  @ApiPreconditions()
  @ApiOkResponse({
    type: CollectionAccessDto,
    description: 'Its access.',
    headers: headers('ETag'),
  })
  @Refuses(COLLECTIONS.access)
  async set(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() { access }: SetAccessDto,
  ): Promise<ApiResponse> {
    const { shown, version } = await this.accesses.set({ id, preconditions }, access, context);
    return versionedResponse(shown, { version });
  }
}
