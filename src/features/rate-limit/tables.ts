import { RateLimitWindowEntity } from './entities/rate-limit-window.entity.js';

export const RATE_LIMIT_TABLES = [RateLimitWindowEntity];
