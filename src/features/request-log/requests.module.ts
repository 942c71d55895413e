import { Module } from '@nestjs/common';
import { UsageTotalsModule } from '../usage/totals/usage-totals.js';
import { RequestLogWriter } from './recording/request-log-writer.js';
import { RequestRecorder } from './recording/request-recorder.js';
import { RequestsController } from './requests.controller.js';
import { RequestsRepository } from './requests.repository.js';
import { RequestsService } from './requests.service.js';

@Module({
  imports: [UsageTotalsModule],
  controllers: [RequestsController],
  providers: [RequestRecorder, RequestLogWriter, RequestsRepository, RequestsService],
})
export class RequestsModule {}
