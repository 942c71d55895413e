import { Module } from '@nestjs/common';
import { StarterOffer } from './starter-offer.js';
import { TemplateFilling } from './template-filling.js';
import { TemplatePages } from './template-pages.js';
import { TemplateRepository } from './template.repository.js';
import { TemplateVersions } from './template-versions.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  controllers: [TemplatesController],
  providers: [
    TemplatesService,
    TemplateRepository,
    TemplateVersions,
    TemplatePages,
    TemplateFilling,
    StarterOffer,
  ],
  exports: [TemplateFilling],
})
export class TemplatesModule {}
