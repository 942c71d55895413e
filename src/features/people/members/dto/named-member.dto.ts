import { PageQueryDto } from '../../../../platform/http/pagination/page-query.dto.js';
import { Field } from '../../../../platform/openapi/field.js';
import { Filter } from '../../../../platform/openapi/filter.js';
import { USER_KINDS, type UserKind } from '../../../auth/person.js';
import { ROLES, type Role } from '../../../auth/roles.js';

const MAX_NAME_CHARACTERS = 200;

const MEMBER_SORTS = ['name', 'created_at', 'updated_at'] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

/** The query of `GET /v1/members`. */
export class ListMembersDto extends PageQueryDto {
  @Filter.text(MAX_NAME_CHARACTERS, {
    description: 'Only members whose name contains this text. Upper and lower case are the same.',
    example: 'ada',
  })
  q?: string;

  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: 'Direction of the sort.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';

  @Filter.sort(MEMBER_SORTS, {
    description: 'Field to sort by. Both times are when the member joined.',
    example: 'name',
    default: 'name',
  })
  sort: MemberSort = 'name';
}

/** A member of the account, without the email address. */
export class NamedMemberDto {
  @Field.id('user') id: string;
  @Field.text({ max: MAX_NAME_CHARACTERS, example: 'Ada Lovelace' }) name: string;
  @Field.oneOf(USER_KINDS, { example: 'person' }) kind: UserKind;
  @Field.oneOf(ROLES, { example: 'member' }) role: Role;
}
