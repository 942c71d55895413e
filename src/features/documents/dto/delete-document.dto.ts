import { Filter } from '../../../platform/openapi/filter.js';
import { Field } from '../../../platform/openapi/field.js';

/** The query of `DELETE /v1/documents/{id}`. */
export class DeleteDocumentDto {
  @Filter.flag({
    default: false,
    description: 'Removes it for good, with its versions. Needs the scope `documents:delete`.',
    example: false,
  })
  permanent = false;
}

/** What is answered to a deletion. */
export class DeletedDocumentDto {
  @Field.id('document') id: string;
  @Field.constant(true) deleted: true;
  @Field.flag({ description: 'Whether it is gone for good.', example: false }) permanent: boolean;

  @Field.time({
    nullable: true,
    description:
      'Until then `POST /v1/documents/{id}/restore` brings it back; null when it is gone.',
  })
  restorableUntil: string | null;
}
