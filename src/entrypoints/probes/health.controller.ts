import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.interceptors.js';
import { Public } from '../../features/auth/auth.decorators.js';
import { Reach } from '../../features/auth/access/reach.decorators.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { LivenessDto, ReadinessDto } from './dto/health.dto.js';
import { ReadinessService, type ReadinessReport } from './readiness.service.js';
import { HEALTH } from './health.refusals.js';

@ApiTags('service')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
@Public()
@Reach('none')
@AnyFields()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  @Get('live')
  @ApiOperation({ operationId: 'checkLiveness', summary: 'Check liveness' })
  @ApiOkResponse({ type: LivenessDto, description: 'The process is running.' })
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'checkReadiness',
    summary: 'Check readiness',
    description:
      'For load balancers. The process is ready if it can read the tables within 2 seconds, migrations are complete, and it is not shutting down.',
  })
  @ApiOkResponse({ type: ReadinessDto, description: 'The process can serve requests.' })
  @Refuses(HEALTH.ready)
  ready(): Promise<ReadinessReport> {
    return this.readiness.check();
  }
}
