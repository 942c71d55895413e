import { Module } from '@nestjs/common';
import { QuotasRepository } from './quotas.repository.js';
import { Quotas } from './quotas.js';

/** The quotas of plans, for the API, jobs and background tasks. */
@Module({ providers: [Quotas, QuotasRepository], exports: [Quotas, QuotasRepository] })
export class QuotasModule {}
