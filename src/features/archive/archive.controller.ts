import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentContext, RequireScope } from '../auth/auth.decorators.js';
import { Reach } from '../auth/access/reach.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { BodyReadBy } from '../../platform/http/bodies/body.interceptor.js';
import { WithoutBody } from '../../platform/http/bodies/json-body-reader.js';
import { JobDto } from '../jobs/dto/job.dto.js';
import { jobResponse } from '../jobs/job.presenter.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { MEDIA_TYPE } from './archive-format.js';
import { ArchiveUpload } from './archive-upload.js';
import { ArchiveService } from './archive.service.js';
import { ARCHIVE } from './archive.refusals.js';

@ApiTags('account')
@Controller('account')
export class ArchiveController {
  constructor(private readonly archives: ArchiveService) {}

  @Post('export')
  @HttpCode(202)
  @RequireScope('*')
  @Reach('everything')
  @WithoutBody()
  @ApiOperation({
    operationId: 'exportAccount',
    summary: 'Export the account',
    description:
      'Starts a job that writes a consistent snapshot with a JSON object per line: documents (including the trash) and templates with all versions, publishing settings and publications and, for reference, members, keys, webhooks without secrets, and the audit log. The last line has a checksum. Download it from the `url` in the result of the job.',
  })
  @ApiAcceptedResponse({ type: JobDto, description: 'The job. `Location` is its path.' })
  @Refuses(ARCHIVE.export)
  async export(@CurrentContext() context: RequestContext): Promise<ApiResponse> {
    return jobResponse(await this.archives.export(context));
  }

  @Post('import')
  @HttpCode(202)
  @RequireScope('*')
  @Reach('everything')
  @BodyReadBy(ArchiveUpload)
  @ApiOperation({
    operationId: 'importAccount',
    summary: 'Import an archive into an empty account',
    description:
      'Starts a job that imports everything or nothing. Documents and templates keep their versions, times, status and word counts, documents their published versions, and both their ids if these are free; the result file lists changed ids. The importing user replaces people who are not members. Reference data is not imported. Emits no events. The body can have `Content-Encoding: gzip` or `br`.',
  })
  @ApiConsumes(MEDIA_TYPE)
  @ApiBody({
    description: 'An archive created by `POST /v1/account/export`.',
    schema: { type: 'string', format: 'binary' },
  })
  @ApiAcceptedResponse({ type: JobDto, description: 'The job. `Location` is its path.' })
  @Refuses(ARCHIVE.import)
  async import(
    @CurrentContext() context: RequestContext,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const { archive } = request;
    if (!archive) throw new Error('The body of an import was not read.');
    if (archive instanceof AppError) throw archive;
    // From here on, the import removes it.
    delete request.archive;
    return jobResponse(await this.archives.import(archive, context));
  }
}
