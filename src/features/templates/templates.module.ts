import { Module } from '@nestjs/common';
import { TemplateStoreModule } from './template-store.module.js';
import { TemplateFillingService } from './variables/template-filling.service.js';
import { TemplateThreads } from './variables/template-threads.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  imports: [TemplateStoreModule],
  controllers: [TemplatesController],
  providers: [TemplatesService, TemplateFillingService, TemplateThreads],
  exports: [TemplateFillingService],
})
export class TemplatesModule {}
