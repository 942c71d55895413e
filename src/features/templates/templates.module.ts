import { Module } from '@nestjs/common';
import { StarterOffer } from './starters/starter-templates.js';
import { TemplateChangesController } from './template-changes.controller.js';
import { TemplateFilling } from './variables/template-filling.js';
import { TemplateRepository, TemplateVersions } from './template.repository.js';
import { TemplateVersionsController } from './template-versions.controller.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  controllers: [TemplatesController, TemplateChangesController, TemplateVersionsController],
  providers: [
    TemplatesService,
    TemplateRepository,
    TemplateVersions,
    TemplateFilling,
    StarterOffer,
  ],
  exports: [TemplateFilling],
})
export class TemplatesModule {}
