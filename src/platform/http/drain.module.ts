import { Module } from '@nestjs/common';
import { Drain } from './drain.js';
import { Exchanges } from './exchanges.js';
import { UnreadAnswers, UnreadLimits } from './unread-answers.js';

@Module({ providers: [Drain, Exchanges, UnreadAnswers, UnreadLimits], exports: [Drain, Exchanges] })
export class DrainModule {}
