import { Field } from '../../../../platform/openapi/field.js';
import { PasswordField, PersonNameField } from './fields.js';

/** The body of `POST /dashboard/api/users`. */
export class SignUpDto {
  @Field.email()
  email: string;

  @PersonNameField()
  name: string;

  @PasswordField({ isNew: true })
  password: string;
}
