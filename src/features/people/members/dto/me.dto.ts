import { Field } from '../../../../platform/openapi/field.js';
import { PickType } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../access/auth/roles.js';
import { SCOPES, type Scope } from '../../../access/auth/scopes.js';
import { ApiKeyDto, KeyCreatorDto } from '../../../keys/dto/api-key.dto.js';
import { AccountDetailsDto } from './account.dto.js';

class MyAccountDto extends PickType(AccountDetailsDto, ['id', 'name', 'plan', 'windows']) {}

/** Who asks, and for which account. */
export class MeDto {
  @Field.oneOf(['key', 'person'], {
    description: 'An API key, or a member of the account who has signed in to the dashboard.',
    example: 'key',
  })
  kind: 'key' | 'person';

  @Field.object(ApiKeyDto, {
    nullable: true,
    description: 'The key, without the key itself; null for a person.',
  })
  key: ApiKeyDto | null;

  @Field.object(KeyCreatorDto, { description: 'The person, or who made the key.' })
  user: KeyCreatorDto;

  @Field.oneOf(ROLES, {
    nullable: true,
    description: 'The role of the person in the account; null for a key.',
    example: null,
  })
  role: Role | null;

  @Field.list(SCOPES, {
    max: SCOPES.length,
    description: 'What the key, or the role of the person, may do.',
    example: ['documents:read', 'documents:write'],
  })
  scopes: readonly Scope[];

  @Field.object(MyAccountDto) account: MyAccountDto;
}
