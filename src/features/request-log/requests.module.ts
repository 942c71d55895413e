import { Module } from '@nestjs/common';
import { UsageTotalsModule } from '../usage/totals/usage-totals.module.js';
import { RequestLogWriter } from './request-log-writer.js';
import { RequestRecorder } from './request-recorder.js';
import { RequestsController } from './requests.controller.js';
import { RequestsService } from './requests.service.js';

@Module({
  imports: [UsageTotalsModule],
  controllers: [RequestsController],
  providers: [RequestRecorder, RequestLogWriter, RequestsService],
})
export class RequestsModule {}
