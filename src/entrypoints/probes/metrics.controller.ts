import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.interceptors.js';
import { Public } from '../../features/auth/auth.decorators.js';
import { Reach } from '../../features/auth/access/reach.decorators.js';
import { WithoutEnvelope } from '../../platform/openapi/route-decorators.js';
import { Metrics } from '../../platform/operation/metrics.js';

const EXAMPLE = 'database_pool_connections{state="idle"} 4\n';

@ApiTags('service')
@Controller({ path: 'metrics', version: VERSION_NEUTRAL })
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Public()
  @Reach('none')
  @AnyFields()
  @WithoutEnvelope()
  @ApiOperation({ operationId: 'readMetrics', summary: 'Read the metrics of this process' })
  @ApiOkResponse({
    description: 'Metrics in the Prometheus text format, without the envelope.',
    content: { 'text/plain': { example: EXAMPLE } },
  })
  async read(@Res() response: Response): Promise<void> {
    response.setHeader('Content-Type', this.metrics.registry.contentType);
    response.end(await this.metrics.registry.metrics());
  }
}
