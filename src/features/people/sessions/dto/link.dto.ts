import { Field } from '../../../../platform/openapi/field.js';
import { ROLE_SCOPES, type Role } from '../../../auth/roles.js';
import { CodeField, PasswordField, PersonNameField } from './user.dto.js';

const PURPOSES = ['first-run', 'invitation', 'password'] as const;

/** The body of `POST /dashboard/api/links/preview`. */
export class PreviewLinkDto {
  @Field.text({
    max: 200,
    description: 'The part of the link after `#`.',
    example: 'iSrMLlw-eOtBu4wnO4tDlPk4cD4T0xaq0UpMe7LmZcA',
  })
  token: string;
}

/** The body of `POST /dashboard/api/links/password`. */
export class RequestPasswordLinkDto {
  @Field.email()
  email: string;
}

/** The body of `POST /dashboard/api/links/use`. */
export class UseLinkDto extends PreviewLinkDto {
  @Field.email({ optional: true })
  email?: string;

  @PersonNameField({ optional: true })
  name?: string;

  @PasswordField({ optional: true, isNew: true })
  password?: string;

  @CodeField({ optional: true })
  code?: string;
}

class LinkAccountDto {
  @Field.id('account') id: string;
  @Field.text({ max: 200, example: 'Analytical Engines Ltd' }) name: string;
}

/** The purpose of a link. */
export class LinkDto {
  @Field.oneOf(PURPOSES, { example: 'invitation' }) purpose: (typeof PURPOSES)[number];

  @Field.email({ nullable: true })
  email: string | null;

  @Field.object(LinkAccountDto, { nullable: true }) account: LinkAccountDto | null;
  @Field.oneOf(Object.keys(ROLE_SCOPES), { nullable: true, example: 'member' }) role: Role | null;

  @Field.text({ nullable: true, max: 200, description: 'Who invites.', example: 'Grace Hopper' })
  invitedBy: string | null;

  @Field.flag({ description: 'True if nobody can sign in to the service yet.', example: false })
  firstUser: boolean;

  @Field.time() expiresAt: string;
}
