import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '../auth/entities/account.entity.js';
import { StarterOfferEntity } from './entities/starter-offer.entity.js';
import { TemplateEntity } from './entities/template.entity.js';
import { StarterOffer } from './starters/starter-templates.js';
import { TemplateRepository, TemplateVersions } from './template.repository.js';

/** Stored templates, for the API and for jobs. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity, StarterOfferEntity, TemplateEntity])],
  providers: [StarterOffer, TemplateRepository, TemplateVersions],
  exports: [StarterOffer, TemplateRepository, TemplateVersions],
})
export class TemplateStoreModule {}
