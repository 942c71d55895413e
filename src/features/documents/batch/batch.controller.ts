import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { Config } from '../../../platform/config/config.js';
import { documentationOrigin } from '../../../platform/http/public-origin.js';
import { CountsItsChanges } from '../../rate-limit/request-rate-limit.js';
import { operationOf } from './batch-operation.js';
import { BatchDto, BatchResultsDto } from './batch.dto.js';
import { batchResponse } from './batch.presenter.js';
import { BatchService } from './batch.service.js';

@ApiTags('documents')
@Controller('documents/batch')
export class BatchController {
  constructor(
    private readonly batch: BatchService,
    private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @CountsItsChanges()
  @ApiOperation({
    operationId: 'batchDocuments',
    summary: 'Create, change, upsert, delete and restore many documents',
    description:
      'Returns one result per operation, in request order. Operations are independent unless `atomic` is true: a failed or malformed one does not affect the others. `upsert` works like `PUT /v1/documents/by-external-id/{externalId}`. The request counts once against the rate limits; in the dashboard, each operation counts. Once the results exceed 8 MiB, further documents have `contentTruncated` and no content. Creations from templates can read and write 16 MiB in total; further ones have the status 413.',
  })
  @ApiBody({ type: BatchDto })
  @ApiOkResponse({ type: BatchResultsDto, description: 'The result of each operation.' })
  async run(
    @CurrentContext() context: RequestContext,
    @Body() body: BatchDto,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    await request.consumeChanges?.(body.operations.length);
    const operations = body.operations.map(operationOf);
    const outcomes = await this.batch.run({ operations, atomic: body.atomic }, context);
    return batchResponse(outcomes, operations, documentationOrigin(request, this.config));
  }
}
