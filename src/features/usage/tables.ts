import { UsageThresholdEntity } from './entities/usage-threshold.entity.js';
import {
  UsageHourEntity,
  UsageMinuteEntity,
  UsageWriterEntity,
} from './entities/usage-total.entities.js';

export const USAGE_TABLES = [
  UsageMinuteEntity,
  UsageHourEntity,
  UsageWriterEntity,
  UsageThresholdEntity,
];
