import { AcceptsFields, Field } from '../../../platform/openapi/field.js';
import { RIGHTS, type Right } from '../../auth/access/rights.js';

/** The most people in the access of a collection. */
export const MAX_PEOPLE = 100;

export const RightField = (description: string) =>
  Field.oneOf(RIGHTS, { title: 'Right', description, example: 'editor' });

class EntryDto {
  @Field.id('user') userId: string;

  @RightField('What this person may do. Each right includes those before it.')
  right: Right;
}

/** A person in the access of a collection. */
@AcceptsFields(['name'])
export class AccessEntryDto extends EntryDto {}

const EveryoneField = () =>
  Field.oneOf(RIGHTS, {
    nullable: true,
    title: 'EveryonesRight',
    description: 'The right of every member of the account. Null for none.',
    example: 'viewer',
  });

const PeopleField = (type: new () => object) =>
  Field.list(type, {
    max: MAX_PEOPLE,
    description:
      'Members and service accounts. Each has the higher of this right and that of everyone.',
  });

/** Who can use a collection. */
export class AccessDto {
  @EveryoneField()
  everyone: Right | null;

  @PeopleField(AccessEntryDto)
  people: AccessEntryDto[];
}

/** A person, with the name, in the access of a collection. */
export class NamedAccessEntryDto extends EntryDto {
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
}

/** Who can use a collection, with names. */
export class NamedAccessDto {
  @EveryoneField()
  everyone: Right | null;

  @PeopleField(NamedAccessEntryDto)
  people: NamedAccessEntryDto[];
}

class AccessSourceDto {
  @Field.id('collection') id: string;
  @Field.text({ max: 200, example: 'Reports' }) name: string;
}

/** The access of a collection. */
export class CollectionAccessDto {
  @Field.object(NamedAccessDto, {
    nullable: true,
    description: 'Its own access. Null if it has that of the collection above.',
  })
  access: NamedAccessDto | null;

  @Field.object(AccessSourceDto, {
    nullable: true,
    description:
      'The collection above whose access applies. Null for its own, and for that of the root.',
  })
  inheritedFrom: AccessSourceDto | null;

  @Field.object(NamedAccessDto, {
    description:
      'The access that applies, with the person who created the collection. Owners and admins always manage it, and are not listed for that.',
  })
  effective: NamedAccessDto;
}

export const OwnAccessField = ({ optional = false } = {}) =>
  Field.object(AccessDto, {
    optional,
    nullable: true,
    description:
      'Who can use it and everything below it that has no own access. Null for those who can use the collection above.',
  });

/** The body of `PUT /v1/collections/{id}/access`. */
export class SetAccessDto {
  @OwnAccessField()
  access: AccessDto | null;
}
