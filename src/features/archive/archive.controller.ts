import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentContext, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { BodyReadBy } from '../../platform/http/bodies/body-readers.js';
import { WithoutBody } from '../../platform/http/bodies/json-body-reader.js';
import { tooMuchStored } from '../jobs/stored-files.repository.js';
import { JobDto } from '../jobs/dto/job.dto.js';
import { alreadyUnderWay } from '../jobs/job-queue.js';
import { jobPath, presentJob } from '../jobs/job.presenter.js';
import type { Job } from '../jobs/job.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { notEmpty } from './account-import.js';
import { MEDIA_TYPE } from './archive-format.js';
import { ArchiveUpload, noArchive } from './archive-upload.js';
import { ArchiveService } from './archive.service.js';

const SAMPLE = { id: '019a8741-c01b-7018-b7cc-3e124d713fdf' };

@ApiTags('account')
@Controller('account')
export class ArchiveController {
  constructor(private readonly archives: ArchiveService) {}

  @Post('export')
  @HttpCode(202)
  @RequireScope('*')
  @WithoutBody()
  @ApiOperation({
    operationId: 'exportAccount',
    summary: 'Export the account',
    description:
      'In the background, as it is at one moment, into one file of one JSON object a line: documents (the trash included) and templates, with all versions; and for the record members, keys, webhooks without secrets, and the audit log. Its last line has a checksum of those before. It may be fetched at the `url` of the result of the job.',
  })
  @ApiAcceptedResponse({ type: JobDto, description: 'The job; `Location` is its path.' })
  @Refuses('Under way', alreadyUnderWay({ ...SAMPLE, kind: 'account.export' }))
  async export(@CurrentContext() context: RequestContext): Promise<ApiResponse> {
    return accepted(await this.archives.export(context));
  }

  @Post('import')
  @HttpCode(202)
  @RequireScope('*')
  @BodyReadBy(ArchiveUpload)
  @ApiOperation({
    operationId: 'importAccount',
    summary: 'Import an archive into an empty account',
    description:
      'All of it or nothing, in the background. Documents and templates keep their ids where these are free, their versions, times, status and word counts; the file that the job makes tells every id that is another now. People who do not belong to the account are replaced by the one who imports. What is only for the record is not imported. No events are emitted. The body may be compressed: `Content-Encoding: gzip` or `br`.',
  })
  @ApiConsumes(MEDIA_TYPE)
  @ApiBody({
    description: 'An archive as `POST /v1/account/export` makes it.',
    schema: { type: 'string', format: 'binary' },
  })
  @ApiAcceptedResponse({ type: JobDto, description: 'The job; `Location` is its path.' })
  @Refuses('Not empty', notEmpty('documents'))
  @Refuses('Under way', alreadyUnderWay({ ...SAMPLE, kind: 'account.import' }))
  @Refuses('No archive', noArchive())
  @Refuses('Too much stored', tooMuchStored())
  async import(
    @CurrentContext() context: RequestContext,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const { archive } = request;
    if (!archive) throw new Error('The body of an import was not read.');
    return accepted(await this.archives.import(archive, context));
  }
}

function accepted(job: Job): ApiResponse {
  return new ApiResponse(JSON.stringify(presentJob(job)), { job: jobPath(job) });
}
