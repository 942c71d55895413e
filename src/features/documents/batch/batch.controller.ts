import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentContext, RequireScope } from '../../access/auth/authentication.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { ERROR_STATUS, failureBody } from '../../../platform/http/envelope/envelope.js';
import { decodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { CountsItsChanges } from '../../access/rate-limit/plan-rate-limit.guard.js';
import type { BatchOperation } from './batch-operation.js';
import { BatchDto, BatchResultsDto } from './batch.dto.js';
import type { BatchOutcome } from './batch-operations.service.js';
import { BatchService } from './batch.service.js';

@ApiTags('documents')
@Controller('documents/batch')
export class BatchController {
  constructor(private readonly batch: BatchService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('documents:write')
  @CountsItsChanges()
  @ApiOperation({
    operationId: 'batchDocuments',
    summary: 'Create, change, upsert and delete many documents',
    description:
      'One result an operation, in their order. Each counts by itself, unless `atomic` is true. `upsert` creates or replaces the document with your `externalId`, as `PUT /v1/documents/by-external-id/{externalId}` does: sent again it changes nothing, makes no version and no event. The request counts once against the limits; in the dashboard each operation is a change. When the results become larger than 8 MiB, further documents come without their content and with `contentTruncated`.',
  })
  @ApiBody({ type: BatchDto })
  @ApiOkResponse({ type: BatchResultsDto, description: 'What became of each operation.' })
  async run(
    @CurrentContext() context: RequestContext,
    @Body() body: BatchDto,
    @Req() { takeChanges }: Request,
  ): Promise<ApiResponse> {
    await takeChanges?.(body.operations.length);
    const outcomes = body.atomic
      ? await this.batch.all(body.operations, context)
      : await this.batch.each(body.operations, context);
    const keptTexts = outcomes.flatMap((outcome) =>
      'failure' in outcome ? [] : (outcome.keptText ?? []),
    );
    return new ApiResponse(
      `{"results":[${outcomes.map((outcome, index) => resultJson(outcome, body.operations[index] as BatchOperation)).join(',')}]}`,
      { keptTexts },
    );
  }
}

function resultJson(outcome: BatchOutcome, operation: BatchOperation): string {
  const head = (id: string | null, status: number) =>
    `{"op":"${operation.op}","id":${JSON.stringify(id)},"status":${String(status)}`;
  if (!('failure' in outcome)) {
    const { id, status, json, warnings } = outcome;
    const doubts = warnings?.length ? `,"warnings":${JSON.stringify(warnings)}` : '';
    return `${head(id, status)},"data":${json}${doubts}}`;
  }
  const { status } = ERROR_STATUS[outcome.failure.kind];
  return `${head(namedBy(operation), status)},"error":${failureBody(outcome.failure)}}`;
}

/** Returns the id that the operation names; null if it names none, or text that is not an id. */
function namedBy(operation: BatchOperation): string | null {
  if (!('id' in operation)) return null;
  return decodeId('document', operation.id) === undefined ? null : operation.id;
}
