import {
  UsageHourEntity,
  UsageMinuteEntity,
  UsageWriterEntity,
} from './entities/usage-total.entity.js';

export const USAGE_TABLES = [UsageMinuteEntity, UsageHourEntity, UsageWriterEntity];
