import { PageQueryDto } from '../../../../platform/http/pagination/page-query.dto.js';
import { Field } from '../../../../platform/openapi/field.js';
import { USER_KINDS, type UserKind } from '../../../auth/person.js';
import { ROLES, type Role } from '../../../auth/roles.js';

const MAX_NAME_CHARACTERS = 200;

/** The query of `GET /v1/members`. */
export class ListMembersDto extends PageQueryDto {
  @Field.text({
    optional: true,
    max: MAX_NAME_CHARACTERS,
    description: 'Only members whose name contains this text. Upper and lower case are the same.',
    example: 'ada',
  })
  q?: string;

  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: 'Direction of the names.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';
}

/** A member of the account, without the email address. */
export class NamedMemberDto {
  @Field.id('user') id: string;
  @Field.text({ max: MAX_NAME_CHARACTERS, example: 'Ada Lovelace' }) name: string;
  @Field.oneOf(USER_KINDS, { example: 'person' }) kind: UserKind;
  @Field.oneOf(ROLES, { example: 'member' }) role: Role;
}
