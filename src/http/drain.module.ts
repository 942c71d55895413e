import { Module } from '@nestjs/common';
import { Drain } from './drain.js';
import { Exchanges } from './exchanges.js';

@Module({ providers: [Drain, Exchanges], exports: [Drain, Exchanges] })
export class DrainModule {}
