import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.js';
import { Public } from '../../features/access/auth/authentication.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { LivenessDto, ReadinessDto } from './dto/health.dto.js';
import { Readiness, type ReadinessReport } from './readiness.js';
import { HEALTH } from './health.refusals.js';

@ApiTags('service')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
@Public()
@AnyFields()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({ operationId: 'checkLiveness', summary: 'Ask whether the process lives' })
  @ApiOkResponse({ type: LivenessDto, description: 'It does.' })
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'checkReadiness',
    summary: 'Ask whether the process can serve requests',
    description:
      'For load balancers: the tables can be read within 2 seconds, migrations are done, no shutdown has begun.',
  })
  @ApiOkResponse({ type: ReadinessDto, description: 'It can.' })
  @Refuses(HEALTH.ready)
  ready(): Promise<ReadinessReport> {
    return this.readiness.check();
  }
}
