import { Field } from '../../../platform/openapi/field.js';
import type { ReadinessReport } from '../readiness.service.js';

/** The process responds. */
export class LivenessDto {
  @Field.constant('live') status: 'live';
}

class ReadinessChecksDto {
  @Field.constant('up') database: 'up';
  @Field.constant('done') migrations: 'done';

  @Field.oneOf(['up', 'down', 'not configured'], {
    description: 'Always `not configured`. Earlier releases could count requests in Redis.',
    example: 'not configured',
  })
  redis: 'up' | 'down' | 'not configured';
}

/** The process can serve requests. */
export class ReadinessDto implements ReadinessReport {
  @Field.constant('ready') status: 'ready';
  @Field.object(ReadinessChecksDto) checks: ReadinessChecksDto;
}
