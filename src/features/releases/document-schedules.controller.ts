import { Body, Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Reach } from '../auth/access/reach.decorators.js';
import { CurrentContext, RequireScope } from '../auth/auth.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { DocumentSchedulesService } from './document-schedules.service.js';
import { DeletedScheduleDto, PutScheduleDto, ScheduleDto } from './dto/schedule.dto.js';
import type { Release } from './release.js';
import { presentRelease } from './release.presenter.js';
import { SCHEDULES } from './releases.refusals.js';

@ApiTags('releases')
@Controller('documents/:id/schedule')
export class DocumentSchedulesController {
  constructor(private readonly schedules: DocumentSchedulesService) {}

  @Put()
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'putSchedule',
    summary: 'Schedule a document',
    description:
      'Each time becomes a release of this document alone, without a title. Replaces the schedule: releases that no longer apply are canceled, and one that stays the same is not written. `GET /v1/releases?documentId=…&status=scheduled` finds them.',
  })
  @ApiBody({ type: PutScheduleDto })
  @ApiOkResponse({ type: ScheduleDto, description: 'The schedule.' })
  @Refuses(SCHEDULES.put)
  async put(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() body: PutScheduleDto,
  ): Promise<ScheduleDto> {
    const { publish, unpublish } = await this.schedules.put(id, body, context);
    return { publish: presented(publish), unpublish: presented(unpublish) };
  }

  @Delete()
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'deleteSchedule',
    summary: 'Cancel the schedule of a document',
    description: 'Other releases with the document stay.',
  })
  @ApiOkResponse({ type: DeletedScheduleDto, description: 'The schedule is canceled.' })
  @Refuses(SCHEDULES.delete)
  async delete(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
  ): Promise<DeletedScheduleDto> {
    await this.schedules.cancel(id, context);
    return { id, deleted: true };
  }
}

function presented(release: Release | null) {
  return release && presentRelease({ ...release, hiddenItems: 0 });
}
