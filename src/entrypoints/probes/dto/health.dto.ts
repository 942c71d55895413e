import { ApiProperty } from '@nestjs/swagger';
import type { ReadinessReport } from '../readiness.js';

/** The process answers. */
export class LivenessDto {
  @ApiProperty({ enum: ['live'], example: 'live' })
  status: 'live';
}

class ReadinessChecksDto {
  @ApiProperty({ enum: ['up'], example: 'up' })
  database: 'up';

  @ApiProperty({ enum: ['done'], example: 'done' })
  migrations: 'done';

  @ApiProperty({
    enum: ['up', 'away', 'not configured'],
    description: 'While Redis is away, limits are counted in PostgreSQL.',
    example: 'up',
  })
  redis: 'up' | 'away' | 'not configured';
}

/** The process can serve requests. */
export class ReadinessDto implements ReadinessReport {
  @ApiProperty({ enum: ['ready'], example: 'ready' })
  status: 'ready';

  @ApiProperty({ type: ReadinessChecksDto })
  checks: ReadinessChecksDto;
}
