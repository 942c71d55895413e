import { IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import { IsEmailText, IsNewPassword, IsPersonName } from './fields.js';

/** The body of `POST /dashboard/api/users`. */
export class SignUpDto {
  @IsEmailText()
  @IsRequired()
  email: string;

  @IsPersonName()
  @IsRequired()
  name: string;

  @IsNewPassword()
  @IsRequired()
  password: string;
}
