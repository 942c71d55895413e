import { Module } from '@nestjs/common';
import { TemplateStoreModule } from './template-store.module.js';
import { TemplateFilling } from './variables/template-filling.js';
import { TemplateThreads } from './variables/template-threads.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  imports: [TemplateStoreModule],
  controllers: [TemplatesController],
  providers: [TemplatesService, TemplateFilling, TemplateThreads],
  exports: [TemplateFilling],
})
export class TemplatesModule {}
