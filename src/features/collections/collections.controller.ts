import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Access } from '../auth/access/access.js';
import { CurrentAccess, Reach } from '../auth/access/reach.decorators.js';
import { CurrentContext, RequireScope } from '../auth/auth.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import {
  CollectionDto,
  CollectionListItemDto,
  CreateCollectionDto,
  DeletedCollectionDto,
  ListCollectionsDto,
  PatchCollectionDto,
} from './dto/collection.dto.js';
import { collectionPath, collectionResponse, presentListed } from './collection.presenter.js';
import { COLLECTIONS } from './collections.refusals.js';
import { CollectionsService } from './collections.service.js';

@ApiTags('collections')
@Controller('collections')
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  @Post()
  @RequireScope('collections:write')
  @Reach('editor')
  @ApiOperation({
    summary: 'Create a collection',
    description:
      'A collection is a folder for documents. An account can have 1,000, at most 8 levels deep. Needs the right `editor` in the parent, and for `access` the scope `access:write`. With an own access, its creator manages it. Emits `collection.created`.',
  })
  @ApiCreatedResponse({
    type: CollectionDto,
    description: 'The collection.',
    headers: headers('ETag'),
  })
  @Refuses(COLLECTIONS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateCollectionDto,
  ): Promise<ApiResponse> {
    const created = await this.collections.create(body, context);
    return collectionResponse(created, collectionPath(created));
  }

  @Get()
  @RequireScope('documents:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'List collections',
    description:
      'The collections in which the caller has a right, by name. `parentId` makes a tree of the list.',
  })
  @ApiOkResponse({ type: CollectionListItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Query() query: ListCollectionsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.collections.list(access, query);
    return new ApiResponse(JSON.stringify(rows.map(presentListed)), { pagination });
  }

  @Get(':id')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({ summary: 'Read a collection' })
  @ApiOkResponse({ type: CollectionDto, description: 'The collection.', headers: headers('ETag') })
  async read(@CurrentAccess() access: Access, @Param('id') id: string): Promise<ApiResponse> {
    return collectionResponse(await this.collections.find(access, id));
  }

  @Patch(':id')
  @RequireScope('collections:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'patchCollection',
    summary: 'Rename or move a collection',
    description:
      'Takes a JSON Merge Patch (RFC 7396): omitted fields keep their value. Needs the right `editor` in the collection; for a move also where it is and where it goes. A move takes everything in the collection along and changes no document. A collection without an own access is then open to those who can use its new parent. Emits `collection.updated`. If nothing changes, nothing is written.',
  })
  @ApiPreconditions()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchCollectionDto, required: false })
  @ApiOkResponse({ type: CollectionDto, description: 'The collection.', headers: headers('ETag') })
  @Refuses(COLLECTIONS.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: PatchCollectionDto,
  ): Promise<ApiResponse> {
    return collectionResponse(await this.collections.change({ id, preconditions }, body, context));
  }

  @Delete(':id')
  @RequireScope('collections:write')
  @Reach('editor')
  @ApiOperation({
    summary: 'Delete an empty collection',
    description:
      'Needs the right `editor`. Documents that are in the trash stay there. To restore one, send another `collectionId`. Emits `collection.deleted`.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DeletedCollectionDto, description: 'The collection is deleted.' })
  @Refuses(COLLECTIONS.delete)
  async delete(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<DeletedCollectionDto> {
    await this.collections.delete({ id, preconditions }, context);
    return { id, deleted: true };
  }
}
