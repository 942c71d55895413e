import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfSent, IsRequired } from '../../envelope/field-decorators.js';
import { ApiText } from '../../openapi/property-decorators.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document-status.js';
import { CreateDocumentDto } from './create-document.dto.js';
import { AcceptsReadOnlyFields } from './read-only-fields.js';
import { IsTitle, MAX_TITLE_CHARACTERS } from './text-fields.js';

/** The body of `PUT /v1/documents/{id}`: the whole document; what is left out is as in a new one. */
@AcceptsReadOnlyFields()
export class ReplaceDocumentDto extends OmitType(CreateDocumentDto, [
  'title',
  'templateId',
  'templateVariables',
]) {
  @ApiText({
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: 'Kept as sent. Not only white space.',
    example: 'Quarterly report, final',
  })
  @IsTitle()
  @IsRequired()
  title: string;

  @ApiPropertyOptional({
    enum: DOCUMENT_STATUSES,
    description: 'Left out, the status stays.',
    example: 'in_review',
  })
  @IfSent()
  @IsIn(DOCUMENT_STATUSES, { message: `must be one of ${DOCUMENT_STATUSES.join(', ')}` })
  status?: DocumentStatus;
}
