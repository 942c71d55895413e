import { Module } from '@nestjs/common';
import { StarterOffer } from './starters/starter-templates.js';
import { TemplateFilling } from './variables/template-filling.js';
import { TemplateThreads } from './variables/template-threads.js';
import { TemplateRepository, TemplateVersions } from './template.repository.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  controllers: [TemplatesController],
  providers: [
    TemplatesService,
    TemplateRepository,
    TemplateVersions,
    TemplateFilling,
    TemplateThreads,
    StarterOffer,
  ],
  exports: [TemplateFilling],
})
export class TemplatesModule {}
