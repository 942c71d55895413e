import { Field } from '../../../../platform/openapi/field.js';
import { ROLES, type Role } from '../../../access/auth/roles.js';

/** The body of `POST …/invitations`. */
export class InviteDto {
  @Field.email() email: string;

  @Field.oneOf(ROLES, { example: 'member' })
  role: Role;
}

/** An invitation that can still be accepted. */
export class InvitationDto {
  @Field.id('invitation') id: string;
  @Field.email() email: string;
  @Field.oneOf(ROLES, { example: 'member' }) role: Role;
  @Field.text({ max: 200, nullable: true, example: 'Ada Lovelace' }) invitedBy: string | null;
  @Field.time() createdAt: string;
  @Field.time() expiresAt: string;
}

/** An invitation just made. */
export class IssuedInvitationDto extends InvitationDto {
  @Field.uri({
    description: 'For the one who is invited, shown this once. It works once.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}

/** A new link of an invitation. */
export class InvitationLinkDto {
  @Field.uri({
    description: 'Shown this once. The one before does not work any more.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}
