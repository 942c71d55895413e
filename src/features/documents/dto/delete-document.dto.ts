import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import { ApiId, ApiTimestamp } from '../../../platform/openapi/property-decorators.js';

/** The query of `DELETE /v1/documents/{id}`. */
export class DeleteDocumentDto {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Removes it for good, with its versions. Needs the scope `documents:delete`.',
    example: false,
  })
  @Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  )
  @IfSent()
  @IsBoolean({ message: 'must be true or false' })
  permanent = false;
}

/** What is answered to a deletion. */
export class DeletedDocumentDto {
  @ApiId('document')
  id: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;

  @ApiProperty({ type: Boolean, description: 'Whether it is gone for good.', example: false })
  permanent: boolean;

  @ApiTimestamp({
    nullable: true,
    description:
      'Until then `POST /v1/documents/{id}/restore` brings it back; null when it is gone.',
  })
  restorableUntil: string | null;
}
