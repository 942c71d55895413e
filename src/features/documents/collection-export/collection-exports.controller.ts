import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Reach } from '../../auth/access/reach.decorators.js';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { CollectionsRepository } from '../../collections/collections.repository.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { WithoutBody } from '../../../platform/http/bodies/json-body-reader.js';
import type { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { JobDto } from '../../jobs/dto/job.dto.js';
import { jobResponse } from '../../jobs/job.presenter.js';
import { JobQueue } from '../../jobs/queue/job-queue.js';
import { COLLECTION_EXPORT } from './collection-export.js';
import { visibleSubtree } from './visible-subtree.js';

@ApiTags('collections')
@Controller('collections')
export class CollectionExportsController {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly queue: JobQueue,
  ) {}

  @Post(':id/export')
  @HttpCode(202)
  @RequireScope('documents:read')
  @Reach('viewer')
  @WithoutBody()
  @ApiOperation({
    operationId: 'exportCollection',
    summary: 'Export a collection',
    description:
      'Starts a job that writes a zip of Markdown files in folders: the documents that you can see in the collection and in those below it when the job runs, without the trash. Download it from the `url` in the result of the job. A zip has at most 65,535 documents.',
  })
  @ApiAcceptedResponse({ type: JobDto, description: 'The job. `Location` is its path.' })
  async export(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
  ): Promise<ApiResponse> {
    const { access } = context;
    const tree = await this.collections.all(access.accountId);
    const subtree = visibleSubtree(tree, uuidOf('collection', id), access);
    const input = { collectionIds: subtree.map((collection) => collection.id) };
    return jobResponse(await this.queue.add({ kind: COLLECTION_EXPORT, input }, context));
  }
}
