import { Field } from '../../../../platform/openapi/field.js';
import { CodeField, PasswordField } from './fields.js';

/** The body of `POST /dashboard/api/session`. */
export class SignInDto {
  @Field.email()
  email: string;

  @PasswordField()
  password: string;

  @CodeField({ optional: true })
  code?: string;
}
