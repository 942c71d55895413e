import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '../auth/entities/account.entity.js';
import { StarterOfferEntity } from './entities/starter-offer.entity.js';
import { TemplateEntity } from './entities/template.entity.js';
import { StarterTemplatesService } from './starters/starter-templates.service.js';
import { TemplatesRepository, TemplateVersionsRepository } from './templates.repository.js';

/** Stored templates, for the API and for jobs. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity, StarterOfferEntity, TemplateEntity])],
  providers: [StarterTemplatesService, TemplatesRepository, TemplateVersionsRepository],
  exports: [StarterTemplatesService, TemplatesRepository, TemplateVersionsRepository],
})
export class TemplateStoreModule {}
