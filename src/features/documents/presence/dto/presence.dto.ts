import { Field } from '../../../../platform/openapi/field.js';
import { PRESENCE_STATES, type PresenceState } from '../presence.entity.js';
import { HOLD_S, MAX_PRESENT } from '../presence.repository.js';

/** The body of `PUT /v1/documents/{id}/presence`. */
export class HoldPresenceDto {
  @Field.oneOf(PRESENCE_STATES, {
    description: `\`editing\` requires the scope \`documents:write\`. It wins over \`viewing\` until its ${String(HOLD_S)} seconds end or you delete your presence.`,
    example: 'editing',
  })
  state: PresenceState;
}

/** A person or an API key in a document. */
class PresentDto {
  @Field.id('user', { description: 'The user, or the creator of the key.' }) userId: string;
  @Field.id('key', { nullable: true, description: 'Null for a signed-in user.', example: null })
  keyId: string | null;

  @Field.text({ max: 200, description: 'The name of the user or key.', example: 'Ada Lovelace' })
  name: string;

  @Field.oneOf(PRESENCE_STATES, { example: 'editing' }) state: PresenceState;
  @Field.time({ description: 'When they came.' }) since: string;
}

/** Who views and edits a document at the moment. */
export class PresenceDto {
  @Field.id('document') documentId: string;

  @Field.list(PresentDto, {
    max: MAX_PRESENT,
    description: `Each user and each key once, in any number of tabs. Those who edit come first, then those who came first. At most ${String(MAX_PRESENT)}.`,
  })
  entries: PresentDto[];

  @Field.integer({ description: 'How many there are, listed or not.', example: 1 }) total: number;
}

/** The response to leaving a document. */
export class LeftDocumentDto {
  @Field.id('document') id: string;
  @Field.constant(true) deleted: true;
}
