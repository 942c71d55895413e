import { StarterOfferEntity } from './entities/starter-offer.entity.js';
import { TemplateVersionEntity } from './entities/template-version.entity.js';
import { TemplateEntity } from './entities/template.entity.js';

export const TEMPLATES_TABLES = [TemplateEntity, TemplateVersionEntity, StarterOfferEntity];
