import { Controller, Delete, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import type { Access } from '../auth/access/access.js';
import { CurrentAccess, Reach } from '../auth/access/reach.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import type { Principal } from '../auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { Refuses, WithoutEnvelope } from '../../platform/openapi/route-decorators.js';
import { CancelledJobDto, JobDto, ListJobsDto } from './dto/job.dto.js';
import { JobResults } from './queue/job-results.js';
import { presentJob } from './job.presenter.js';
import { JobsService } from './jobs.service.js';
import { JOBS } from './jobs.refusals.js';

@ApiTags('jobs')
@Controller('jobs')
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly results: JobResults,
  ) {}

  @Get()
  @RequireScope('documents:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'List jobs',
    description:
      'Newest first. Only jobs of kinds that the key can read are listed. Jobs are stored for 30 days after they end. Results are included until the page reaches 8 MiB; further ones are null.',
  })
  @ApiOkResponse({ type: JobDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListJobsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.jobs.list(access, principal, query);
    return new ApiResponse(JSON.stringify(rows.map(presentJob)), { pagination });
  }

  @Get(':id')
  @RequireScope('documents:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'Read a job',
    description:
      'Poll every few seconds until the job has ended. Jobs that export or import the account need the scope `*`.',
  })
  @ApiOkResponse({ type: JobDto, description: 'The job.' })
  @Refuses(JOBS.read)
  async read(
    @CurrentAccess() access: Access,
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<JobDto> {
    return presentJob(await this.jobs.find(access, principal, id));
  }

  @Get(':id/result')
  @RequireScope('documents:read')
  @Reach('visible')
  @WithoutEnvelope()
  @ApiOperation({
    operationId: 'readJobResult',
    summary: 'Download the result of a job',
    description:
      'Returns the file itself, without the envelope, for 3 days after the job has ended. The file is compressed with Brotli if the client accepts it.',
  })
  @ApiOkResponse({
    description: 'The file, with its media type. `Content-Disposition` contains its name.',
    content: {
      'application/x-ndjson': {
        schema: { type: 'string', format: 'binary' },
        example: '{"record":"header","format":"document-service-archive","version":1}\n',
      },
    },
  })
  @Refuses(JOBS.readResult)
  async readResult(
    @CurrentAccess() access: Access,
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.jobs.find(access, principal, id);
    await this.results.send(job, request, response);
  }

  @Delete(':id')
  @RequireScope('documents:read')
  @Reach('visible')
  @ApiOperation({
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'Undoes the work of the job. You can still read the job; its status is `cancelled`.',
  })
  @ApiOkResponse({ type: CancelledJobDto, description: 'The job is cancelled.' })
  @Refuses(JOBS.cancel)
  async cancel(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
  ): Promise<CancelledJobDto> {
    await this.jobs.cancel(id, context);
    return { id, deleted: true, status: 'cancelled' };
  }
}
