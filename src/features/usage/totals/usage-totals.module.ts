import { Module } from '@nestjs/common';
import { UsageTotals } from './usage-totals.js';

/** Apart from the routes of usage: workers count too. */
@Module({ providers: [UsageTotals], exports: [UsageTotals] })
export class UsageTotalsModule {}
